// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "base/error.h"
#include "plan/plan.h"

namespace lockstep {

/// Whether the rehearsal region can run this plan. In place of an image its job runs execute `lockstep-node`,
/// which runs PyTorch clusters in either layout, or the program that a container's `entrypoint` names. Fails
/// with what it cannot run and what to do instead; to be asked before anything is started. Pure.
[[nodiscard]] Result<void> rehearsable(const Plan& plan);

}  // namespace lockstep
