// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>

#include "oci/calls/service_client.h"
#include "runs/training_run.h"

namespace lockstep {

/// What the service knows of a job that somebody else launched: places, work dir and one node per job run,
/// main first. Without a run id, profile and train.yaml.
Result<TrainingRun> attachedRun(const std::shared_ptr<oci::ServiceClient>& services, const JobId& jobId,
                                const std::stop_token& stop);

}  // namespace lockstep
