// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "cli.h"
#include "launch/launch_target.h"
#include "launch/remote/remote_runs.h"
#include "launch/run_services.h"

namespace lockstep::cli {

/// Where requests go: a profile, and the rehearsal region when it is that one's.
using Target = StartedTarget;

/// `on`: "oci", "rehearsal" or empty: what the global options say, else the machine's own profile, else the
/// rehearsal region of the profile REHEARSAL. Starts nothing.
[[nodiscard]] LaunchTarget targetOf(const GlobalOptions& global, const std::string& on);
/// Starts the region when it is chosen and does not run. That, and that no profile was found, is said on
/// stderr before it is done.
Result<Target> reachTarget(const LaunchTarget& target, const std::stop_token& stop);

/// The profile query that the global options stand for.
[[nodiscard]] oci::ProfileQuery queryOf(const GlobalOptions& global);

// ---- runs that are already there

/// The services of the profile that the run was launched with, unless the global options name another.
Result<RunServices> servicesOf(const TrainingRun& run, const GlobalOptions& global,
                               std::shared_ptr<RunStore> store, RetryMode retryMode);
/// A run id, a unique prefix of one, a job OCID, a job run OCID, "last", or an info file. A job that this
/// machine did not launch is attached to: asked for with the global options' profile, and remembered. A folder of a
/// run is none of these: FailedPrecondition.
Result<TrainingRun> findRun(const std::string& reference, const GlobalOptions& global,
                            const std::shared_ptr<RunStore>& store);

/// Jobs that have run in these compartments, or, where none is named, in all that the profile may see (remoteRuns).
Result<RemoteRuns> findRemoteRuns(const std::vector<std::string>& compartments, const std::string& project,
                                  const GlobalOptions& global, const std::shared_ptr<RunStore>& store);

/// A run that is to be looked at, and the way to it.
struct RunAccess {
  TrainingRun run;
  Result<RunServices> services;  // or why there is no way now: then the run is as the store knows it
};
/// What findRun() takes, and also a run file, or the folder or URI of a run in a work dir: read only, without the run store, and
/// without a profile where it is on this machine. Blocks on disk or network.
Result<RunAccess> accessRun(const std::string& reference, const GlobalOptions& global, RetryMode retryMode);
/// What RUN may be there, for the help of such a command.
inline constexpr const char* kReadableRunHelp =
    "run id or the beginning of one, job OCID, info file, 'last', a run file (.lockstep), or the folder of a "
    "run in a "
    "work dir: file:///PATH/RUN, a path, or oci://BUCKET@NAMESPACE/PREFIX/RUN";

}  // namespace lockstep::cli
