// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

#include "base/status.h"
#include "plan/plan.h"

namespace lockstep {

/// Where a running rehearsal region is and what its tenancy holds: what `lockstep-rehearsal start --json`
/// prints.
struct RehearsalInfo {
  std::string endpoint;    // "http://127.0.0.1:18080"
  std::string configFile;  // OCI config file with the profile
  std::string profile;     // "REHEARSAL"
  int pid = 0;
  TenancyPlaces places;  // empty ids when the tenancy is empty
};
[[nodiscard]] nlohmann::json toJson(const RehearsalInfo& info);

struct RehearsalOptions {
  std::filesystem::path stateDir;  // default: userDataDir()/rehearsal
  std::string configFile;          // default: ~/.oci/config
  int port = 0;                    // 0: the one used before, else a free one
  bool empty = false;
  std::filesystem::path program;  // default: programDir()/lockstep-rehearsal
};

/// Starts `lockstep-rehearsal` (from programDir()) in the background unless it already runs, and waits until
/// it answers, at most kRehearsalStartLimit. Blocks.
Result<RehearsalInfo> startRehearsal(const RehearsalOptions& options, const std::stop_token& stop);
/// The running region of that state folder; NotFound when none runs.
Result<RehearsalInfo> rehearsalStatus(const RehearsalOptions& options);
/// Ends the region and every job run process in it. Returns when they are gone.
Result<void> stopRehearsal(const RehearsalOptions& options, const std::stop_token& stop);
/// Stops it and forgets its state.
Result<void> resetRehearsal(const RehearsalOptions& options, const std::stop_token& stop);

inline constexpr std::chrono::seconds kRehearsalStartLimit{30};

}  // namespace lockstep
