// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"

namespace lockstep::node {

/// A listener which answers every connection with one line: so that a peer knows that it came to us and not
/// to a middlebox. On a thread of its own. Each connection lasts half a second at most, whatever comes on it,
/// so nobody keeps others from an answer or the listener from ending.
class ProbeListener {
 public:
  /// On `port`; 0: one that the system chooses. On `address` when this machine has it, else on all.
  /// AlreadyExists when another program listens there.
  static Result<std::unique_ptr<ProbeListener>> open(const std::string& answer, int port = 0,
                                                     const std::string& address = {});
  ProbeListener(const ProbeListener&) = delete;
  ProbeListener& operator=(const ProbeListener&) = delete;
  ~ProbeListener();
  [[nodiscard]] int port() const { return port_; }

 private:
  ProbeListener(int fd, int port, std::string answer);
  using Steady = std::chrono::steady_clock;
  // One that has its answer. Whoever closes first keeps the port for a while, and a program of the cluster is
  // to listen here soon: so the other side gets some time to do that.
  struct Guest {
    int fd = -1;
    Steady::time_point until;
    bool hasLeft = false;
  };
  void run(const std::stop_token& stop);
  void serve(bool admits);
  bool admit();  // whether there may be another to admit
  static void hear(Guest& guest);
  void letGo(Steady::time_point now);

  int fd_;
  int port_;
  std::string answer_;
  // Of the thread alone.
  std::vector<Guest> guests_;
  Steady::time_point acceptAgain_{};
  std::jthread thread_;
};

/// Milliseconds until the listener there has answered with that line. DeadlineExceeded: packets are dropped
/// on the way, as security lists do; Unavailable: refused; DataLoss: somebody else answers. Blocks for
/// `limit` at most.
Result<double> probeConnection(const std::string& address, int port, const std::string& answer,
                               std::chrono::milliseconds limit);

}  // namespace lockstep::node
