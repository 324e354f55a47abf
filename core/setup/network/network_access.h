// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "reach/port_access.h"
#include "reach/storage_route.h"
#include "setup/network/network_needs.h"
#include "setup/network/network_reader.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// What the rules say of one purpose, into a node and out of it.
struct RowAccess {
  PortAccess in, out;
  StepState inState = StepState::Ready, outState = StepState::Ready;
  [[nodiscard]] bool isReady() const { return inState == StepState::Ready && outState == StepState::Ready; }
};

/// Whether nodes reach Object Storage: by a route, and by an egress rule for HTTPS.
struct StorageAccess {
  StorageRoute route;
  PortAccess rule;
  StepState state = StepState::Ready;
};

/// All of it, from what was read. Pure.
struct NetworkAccess {
  Ipv4Range block;
  RuleBook rules;
  std::vector<RowAccess> rows;  // as NetworkNeeds::rows
  StorageAccess storage;
  [[nodiscard]] PortSet closed() const;  // of what is asked for, in either direction
};
/// The subnet must have an IPv4 block.
[[nodiscard]] NetworkAccess evaluateNetwork(const NetworkView& view, const NetworkNeeds& needs);

/// Port by direction, with the rule that decides.
[[nodiscard]] ReportTable portTable(const NetworkView& view, const NetworkNeeds& needs,
                                    const NetworkAccess& access);
/// One for what is open, one for each purpose and direction that is not. `groups`: of the VCN, to tell
/// somebody who has opened the ports there why that is not enough. `evidence`: of the lists and the routes.
[[nodiscard]] std::vector<Finding> portFindings(const NetworkView& view, const NetworkNeeds& needs,
                                                const NetworkAccess& access,
                                                const std::vector<GroupRules>& groups,
                                                const std::string& evidence);
[[nodiscard]] Finding storageFinding(const NetworkView& view, const NetworkAccess& access,
                                     const std::string& evidence);

}  // namespace lockstep
