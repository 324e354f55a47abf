// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "base/status.h"
#include "plan/plan.h"

namespace lockstep {

/// Whether the rehearsal region can run this plan. Its job runs execute `lockstep-node` in place of the
/// image, which runs PyTorch clusters with one job run per node. Fails with what it cannot run and what to do
/// instead; to be asked before anything is started. Pure.
[[nodiscard]] Result<void> rehearsable(const Plan& plan);

}  // namespace lockstep
