// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <vector>

#include "reach/rule_change.h"
#include "setup/network/network_access.h"

namespace lockstep {

/// "open-ports": the fewest rules, within the subnet's own block. "open-storage": HTTPS to Object Storage by
/// the label of its route. "open-everything": what the getting-started guide allows for a proof of concept,
/// unsafe. Each adds rules to one security list, preferably to one that no other subnet has: one that others
/// share opens their nodes, too, and makes the fix unsafe.
[[nodiscard]] std::vector<ProposedFix> networkFixes(const std::shared_ptr<oci::ServiceClient>& services,
                                                    const NetworkView& view, const NetworkNeeds& needs,
                                                    const NetworkAccess& access);

inline constexpr const char* kRulesAdded = "rules-added";
/// Removes exactly the rules that were added; what others have added since stays. FailedPrecondition when
/// somebody has altered one of them, and nothing is removed then. Rules that are gone are no failure.
Result<void> takeRulesBack(const std::shared_ptr<oci::ServiceClient>& services, const AppliedChange& change,
                           const std::stop_token& stop);

}  // namespace lockstep
