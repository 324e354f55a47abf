// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "launch/run_services.h"
#include "oci/calls/service_client.h"
#include "runs/run_store.h"
#include "runs/training_run.h"

namespace lockstep {

/// A job that has run, or runs, whoever has started it: as the lists of the service tell it.
struct RemoteRun {
  JobId jobId;
  std::string name, compartmentId, projectId;
  std::string compartment, project;  // their names; empty: not known, or there is none
  std::string createdBy;             // OCID of a user or another principal
  RunState state = RunState::Waiting;
  std::vector<NodeRun> jobRuns;  // oldest first
  TimePoint created{};           // its first job run
  std::optional<TimePoint> finished;
};

struct RemoteRuns {
  std::vector<RemoteRun> runs;         // newest first
  std::vector<std::string> forbidden;  // compartments that the caller may not see the job runs of
};

/// A compartment to look into.
struct CompartmentPlace {
  std::string id;
  std::string path;  // "research / vision": its name behind those above it; empty: not known
};

/// Where to look for jobs.
struct RemoteSearch {
  std::vector<CompartmentPlace> compartments{};
  std::string projectId{};  // empty: of all
  /// Told after each compartment how many have been looked into, in whatever thread; may be empty.
  std::function<void(std::size_t done, std::size_t of)> onProgress{};
};

/// Jobs with job runs in these compartments. Three lists for one that has some, else one; several compartments side by side.
/// Blocks; fails when none of them can be read.
Result<RemoteRuns> remoteRuns(const std::shared_ptr<oci::ServiceClient>& services, const RemoteSearch& search,
                              const std::stop_token& stop);

/// The tenancy and all compartments below it that the caller may see, at most 1,000. Blocks.
Result<std::vector<CompartmentPlace>> visibleCompartments(const std::shared_ptr<oci::ServiceClient>& services,
                                                          const std::string& tenancyId,
                                                          const std::stop_token& stop);

/// The same with the services of a profile, where no compartment is named in all that it may see. Blocks.
Result<RemoteRuns> remoteRuns(const RunServices& services, RemoteSearch search, const std::stop_token& stop);

/// Takes up a job that somebody else launched, so that it stands among the runs of this machine; one that does already is
/// answered as it is. `workDir`: where the job itself names none. Blocks.
Result<TrainingRun> takeUp(RunServices& services, RunStore& store, const JobId& jobId,
                           const std::string& workDir, const std::stop_token& stop);

[[nodiscard]] nlohmann::json toJson(const RemoteRun& run);

}  // namespace lockstep
