// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/node_network.h"

namespace lockstep::rehearsal {
namespace {

class SharedNode : public NodeNetwork {};

}  // namespace

Result<std::unique_ptr<NodeNetwork>> NodeNetwork::enter(const nlohmann::json& spec) {
  if (spec.is_null() || spec.value("mode", "shared") == "shared") return std::make_unique<SharedNode>();
  return failure(StatusCode::InvalidArgument, "cannot enter the network of the node",
                 "unknown mode '" + spec.value("mode", "") + "'");
}

}  // namespace lockstep::rehearsal
