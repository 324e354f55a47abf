// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "setup/policies/policies_review.h"
#include "setup/step/setup_step.h"

namespace lockstep {

[[nodiscard]] std::vector<ReportTable> policyTables(const PolicySnapshot& snapshot,
                                                    const PoliciesReview& review);

// How findings and tables name things.

[[nodiscard]] std::string placeName(const PolicySnapshot& snapshot,
                                    const std::string& id);             // "compartment 'a:b'", "the tenancy"
[[nodiscard]] std::string lineName(const AttachedStatement& one);       // "policy 'x', line 3"
[[nodiscard]] std::string grantAndCondition(const PolicyStatement& s);  // "manage objects where …"
[[nodiscard]] std::string excessText(const Excess& excess);             // "more verbs, in more places"

/// The near miss that explains most; nullptr: none does.
[[nodiscard]] const NearMiss* nearestMiss(const ReviewedStatement& one);
[[nodiscard]] const char* codeOf(NearMiss::Why why);  // "wrong-verb"
[[nodiscard]] std::string explain(const NearMiss& near, const ReviewedStatement& one,
                                  const PolicySnapshot& snapshot);

}  // namespace lockstep
