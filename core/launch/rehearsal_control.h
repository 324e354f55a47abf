// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"

namespace lockstep {

/// Where a running rehearsal region is and what its tenancy holds: what `lockstep-rehearsal start --json`
/// prints.
struct RehearsalInfo {
  std::string endpoint;    // "http://127.0.0.1:18080"
  std::string configFile;  // OCI config file with the profile
  std::string profile;     // "REHEARSAL"
  int pid = 0;
  TenancyIds places;  // empty ids when the tenancy is empty
  // Only of a region with https:
  std::string httpsEndpoint;       // "https://127.0.0.1:18443"
  std::string certificateBundle;   // PEM file of its authority
  std::string regionMetadata;      // JSON for OCI_REGION_METADATA
  std::vector<std::string> hosts;  // of its services, below that metadata's domain
  std::string unenforced;          // why security rules are not enforced; empty: they are
};
[[nodiscard]] nlohmann::json toJson(const RehearsalInfo& info);

struct RehearsalOptions {
  std::filesystem::path stateDir;  // default: userDataDir()/rehearsal
  std::string configFile;          // default: ~/.oci/config
  int port = 0;                    // 0: the one used before, else a free one
  bool empty = false;
  bool tls = false;                  // https as well
  bool isolate = true;               // job runs in networks of their own, where the machine allows it
  std::filesystem::path faultsFile;  // what is to go wrong from the beginning; empty: nothing
  std::filesystem::path program;     // default: programDir()/lockstep-rehearsal
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

/// What is to go wrong in the running region, as its fault file has it, and how often each fault has struck
/// ("strikes").
Result<nlohmann::json> rehearsalFaults(const RehearsalOptions& options, const std::stop_token& stop);
/// Takes the plan of a file over, or (nullopt) lets nothing go wrong any more; the plan as it then is. The
/// region's own words say what is wrong with a plan.
Result<nlohmann::json> setRehearsalFaults(const RehearsalOptions& options,
                                          const std::optional<std::filesystem::path>& file,
                                          const std::stop_token& stop);

/// Shell lines that point Oracle's SDKs and command line at a region with https. InvalidArgument when it has
/// none. No secret is among them: keys stay in the files that the profile names.
Result<std::string> rehearsalEnvironment(const RehearsalInfo& info);

inline constexpr std::chrono::seconds kRehearsalStartLimit{30};

}  // namespace lockstep
