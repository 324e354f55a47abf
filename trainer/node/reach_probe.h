// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "base/status.h"

namespace lockstep::node {

/// A listener which answers every connection with one line: so that a peer knows that it came to us and not
/// to a middlebox. On a thread of its own.
class ReachListener {
 public:
  /// On `port`; 0: one that the system chooses. On `address` when this machine has it, else on all.
  /// AlreadyExists when another program listens there.
  static Result<std::unique_ptr<ReachListener>> open(const std::string& answer, int port = 0,
                                                     const std::string& address = {});
  ReachListener(const ReachListener&) = delete;
  ReachListener& operator=(const ReachListener&) = delete;
  ~ReachListener();
  [[nodiscard]] int port() const { return port_; }

 private:
  ReachListener(int fd, int port, std::string answer);
  void run(const std::stop_token& stop);

  int fd_;
  int port_;
  std::string answer_;
  std::jthread thread_;
};

/// Milliseconds until the listener there has answered with that line. DeadlineExceeded: packets are dropped
/// on the way, as security lists do; Unavailable: refused; DataLoss: somebody else answers. Blocks for
/// `limit` at most.
Result<double> probeReach(const std::string& address, int port, const std::string& answer,
                          std::chrono::milliseconds limit);

}  // namespace lockstep::node
