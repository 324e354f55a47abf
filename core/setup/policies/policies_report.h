// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "setup/policies/policies_review.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// The review as findings, and as tables: what is needed against what is there, the statements to copy, what
/// grants more than needed, what could not be read. Without fixes. Pure.
[[nodiscard]] StepReport policiesReport(const PolicySnapshot& snapshot, const PoliciesReview& review);

}  // namespace lockstep
