// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "rehearsal/jobs/job_artifacts.h"
#include "rehearsal/jobs/job_runner.h"
#include "rehearsal/jobs/run_plan.h"

namespace lockstep::rehearsal {

/// What a node of this group executes, and for how long: with a container, the program that stands for the
/// image's entrypoint (or the job's own `entrypoint`, of which an empty one leaves `cmd` alone) with `cmd`; else the artifact: `.py` with python3,
/// `.sh` with bash, of an archive the file that JOB_RUN_ENTRYPOINT names (oci-rest-contract 4.5).
/// commandLineArguments come last. Fails when there is neither container nor artifact.
Result<NodeTask> nodeTask(const RunnerSetup& setup, const RunPlan& plan, const GroupPlan& group,
                          const DeliveredArtifact& artifact);

}  // namespace lockstep::rehearsal
