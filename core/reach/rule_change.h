// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "reach/reach.h"

namespace lockstep {

/// Rules to be added to a security list. Rules are only ever added: none of somebody else's is altered.
struct RuleChange {
  std::vector<oci::SecurityRule> ingress, egress;
  [[nodiscard]] bool empty() const { return ingress.empty() && egress.empty(); }
  [[nodiscard]] std::size_t size() const { return ingress.size() + egress.size(); }
};

/// The fewest rules that open `asked` TCP ports between all nodes of a subnet that have the rules `node`:
/// stateful, for exactly `subnetBlock`, one for each run of asked ports and direction in which something is
/// closed, and where a stateless rule forgets connections, one for their answers. Nothing that passes now is
/// cut off, and no connection from or to anywhere else, or to any other port, is opened. Empty: all is open.
[[nodiscard]] RuleChange smallestOpening(const RuleBook& node, const std::string& subnetBlock,
                                         const PortSet& asked);

/// What the getting-started guide allows for a proof of concept: all TCP ports, in and out, for everybody.
/// Only what is missing.
[[nodiscard]] RuleChange openEverything(const RuleBook& node);

/// TCP 443 to Object Storage by the label that leads there.
[[nodiscard]] RuleChange openStorage(const RuleBook& node, const std::string& serviceLabel);

/// The list with the rules added at the end of each direction.
[[nodiscard]] oci::SecurityList with(oci::SecurityList list, const RuleChange& change);
[[nodiscard]] RuleBook with(RuleBook node, const RuleChange& change);
/// Whether each of the rules is there, word by word.
[[nodiscard]] bool hasAll(const oci::SecurityList& list, const RuleChange& change);
/// A rule of the list that was one of these once, by its description, and says something else by now; null:
/// there is none. Points into the list.
[[nodiscard]] const oci::SecurityRule* findAltered(const oci::SecurityList& list, const RuleChange& change);
/// Takes each of the rules out of the list once, where it is there word by word; everything else stays as it
/// is. What was not found is left in the answer.
RuleChange removeChange(oci::SecurityList& list, const RuleChange& change);

}  // namespace lockstep
