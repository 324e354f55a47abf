// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "base/clock.h"
#include "rehearsal/identity/tokens.h"
#include "rehearsal/jobs/run_folder.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// A resource principal's token is renewed in its file at half its life.
inline constexpr std::chrono::minutes kTokenLifetime{30};

struct RunPlace {
  std::filesystem::path programs;  // first in PATH
  std::string endpoint;
};

/// Makes the folder with work/ and principal/, and writes the session key.
Result<void> makeRunFolder(const RunFolder& folder, const Key& sessionKey);

/// What a job run finds in its environment (oci-rest-contract 9): what the service provides, then the job's
/// variables under the run's.
[[nodiscard]] std::map<std::string, std::string> runEnvironment(const Resource& run, const RunFolder& folder,
                                                                const RunPlace& place);

/// Issues a fresh resource principal session token and replaces the file; returns when it expires.
Result<TimePoint> writeRunToken(const Resource& run, const RunFolder& folder, const TokenIssuer& tokens,
                                TimePoint now);

/// State and lifecycleDetails for the way in which a run ended.
[[nodiscard]] std::pair<std::string, std::string> judge(const RunEnd& end,
                                                        const nlohmann::json& configuration);

/// Makes sure that a run without a supervisor never gets one. False while one is just starting.
[[nodiscard]] bool stopBeforeStart(const RunFolder& folder);

}  // namespace lockstep::rehearsal
