// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"

namespace lockstep::rehearsal {

/// The network of one node of a job run, seen from its supervisor. `spec` is what VcnNetwork::join() made and
/// the supervisor found in spec.json: opaque to everyone else.
///
/// Entering moves the calling thread, and so every process that it starts from then on, into a network
/// namespace of the node's own: loopback, `eth0` with the node's address in the subnet, the subnet's rules as
/// a packet filter, and the region's endpoint reachable at the same 127.0.0.1:port as outside (through a
/// relay that stays outside) when the subnet's routes and egress rules lead to the services. A spec that says
/// "shared" does nothing: all nodes then share the machine's loopback, and nothing is enforced.
///
/// To be called by the supervisor's main thread, before it starts the program and while it has no other
/// thread. The object keeps the relay running; its destructor takes everything down.
class NodeNetwork {
 public:
  static Result<std::unique_ptr<NodeNetwork>> enter(const nlohmann::json& spec);
  virtual ~NodeNetwork() = default;
};

}  // namespace lockstep::rehearsal
