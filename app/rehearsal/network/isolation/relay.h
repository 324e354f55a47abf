// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <vector>

#include "base/error.h"
#include "rehearsal/network/isolation/namespaces.h"

namespace lockstep::rehearsal {

/// Carries connections from sockets that listen in a node's network namespace to the same ports at 127.0.0.1
/// of the network namespace in which the relay was started. One thread of its own, which takes no signals.
class Relay {
 public:
  /// The thread is where the caller is now, and stays there when the caller goes elsewhere.
  static Result<std::unique_ptr<Relay>> start();
  virtual ~Relay() = default;  // ends the thread and every connection

  /// Takes over a listening socket, non-blocking, of a port at 127.0.0.1.
  virtual void serve(OwnedFd listener, int port) = 0;
};

}  // namespace lockstep::rehearsal
