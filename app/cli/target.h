// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli.h"
#include "launch/rehearsal_control.h"
#include "launch/rehearsal_launch.h"
#include "launch/run_services.h"

namespace lockstep::cli {

/// Where requests go: a profile, and the rehearsal region when it is that one's.
struct Target {
  oci::ProfileQuery query;
  std::optional<RehearsalInfo> rehearsal;
};

/// `on`: "oci", "rehearsal" or empty: what the global options say, else the machine's own profile, else the
/// rehearsal region of the profile REHEARSAL. Starts the region when it is chosen and does not run. Each is
/// said on stderr before it is done.
Result<Target> chooseTarget(const GlobalOptions& global, const std::string& on, const std::stop_token& stop);

/// The profile query that the global options stand for.
[[nodiscard]] oci::ProfileQuery queryOf(const GlobalOptions& global);

// ---- runs that are already there

Result<std::shared_ptr<RunStore>> openRunStore();
/// How patient the client of a command is with a service that does not answer.
enum class Patience { OneLook, Follow };
/// The services of the profile that the run was launched with, unless the global options name another.
Result<RunServices> servicesOf(const TrainingRun& run, const GlobalOptions& global,
                               std::shared_ptr<RunStore> store, Patience patience);
/// A run id, a unique prefix of one, a job OCID, a job run OCID, "last", or an info file. A job that this
/// machine did not launch is attached to: asked for with the global options' profile, and remembered.
Result<TrainingRun> findRun(const std::string& reference, const GlobalOptions& global,
                            const std::shared_ptr<RunStore>& store);

}  // namespace lockstep::cli
