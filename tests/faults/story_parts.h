// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <vector>

#include "launch/launcher.h"
#include "tests/faults/fault_region.h"

namespace lockstep::testing {

/// The operations of a launch-watch-cancel story, each with the operations of the services behind it.
struct StoryStep {
  const char* name;        // "create runs"
  const char* operations;  // glob: "CreateJobRun"
};
[[nodiscard]] const std::vector<StoryStep>& storySteps();

/// Indexes of storySteps().
enum StepIndex : std::size_t {
  kCreateJob,
  kCreateRuns,
  kPoll,
  kGetRun,
  kReadLog,
  kPut,
  kList,
  kGet,
  kMetrics,
  kCancel,
  kWait,
  kDelete
};

inline const std::vector<std::string> kStoryNodes{"main", "worker_0"};

/// One job of that name and a job run for each of kStoryNodes, with a work dir of their own.
[[nodiscard]] LaunchRequest storyRequest(const FaultRegion& region, const std::string& name);

/// What a message does not tell of: which service, which operation, why, and the way out. Empty: nothing.
[[nodiscard]] std::string lackOf(const Error& error);
[[nodiscard]] std::string oneLine(const Error& error);

/// Waits until every job run of the jobs of that name has ended, those of the job `spared` apart.
[[nodiscard]] bool allRunsEnd(const FaultRegion& region, const std::string& jobName,
                              const std::string& spared);
/// Waits until no process of the job run is left.
[[nodiscard]] bool allProcessesEnd(const std::string& runId);
[[nodiscard]] bool hasEnded(const FaultRegion::JobRun& run);
/// Names of the objects below `folder` of the work dir's bucket that are not there as they were acknowledged.
[[nodiscard]] std::vector<std::string> lostObjects(const FaultRegion& region, const std::string& folder,
                                                   const std::map<std::string, std::string>& acknowledged);

}  // namespace lockstep::testing
