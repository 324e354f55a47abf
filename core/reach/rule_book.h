// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "oci/services/network_types.h"
#include "reach/port_set.h"

namespace lockstep {

/// One rule and where it stands.
struct PlacedRule {
  oci::SecurityRule rule;
  std::string place;  // "security list 'default', ingress rule 2", counted from 1
};

/// All that holds for one node: the union of its subnet's security lists and of its network security groups.
/// The order does not matter.
using RuleBook = std::vector<PlacedRule>;

[[nodiscard]] RuleBook rulesOf(const std::vector<oci::SecurityList>& lists);
[[nodiscard]] RuleBook rulesOf(const oci::NetworkSecurityGroup& group,
                               const std::vector<oci::SecurityRule>& rules);

/// "TCP 29400 from 10.0.0.0/24", "all protocols to 0.0.0.0/0, stateless". Without the description.
[[nodiscard]] std::string ruleText(const oci::SecurityRule& rule);
/// A list's rules one to a line under "ingress" and "egress", for a difference.
[[nodiscard]] std::string listText(const oci::SecurityList& list);

/// Ports of a rule; absent means all of them.
[[nodiscard]] PortSet portsOf(const std::optional<oci::PortRange>& range);
/// An interval as a rule writes it; all ports are written as nothing.
[[nodiscard]] std::optional<oci::PortRange> ruleRange(const PortSet::Interval& interval);

}  // namespace lockstep
