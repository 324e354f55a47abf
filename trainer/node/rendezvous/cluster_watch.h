// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <mutex>
#include <optional>
#include <thread>

#include "trainer/node/rendezvous/rendezvous_files.h"

namespace lockstep::node {

/// Reads the rendezvous files every second on a thread of its own, for a failure of another node and for the
/// stop mark. A store that cannot be read now is looked at again: the training does not depend on it.
class ClusterWatch {
 public:
  explicit ClusterWatch(RendezvousFiles& files) : files_(files) {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;
  ~ClusterWatch() = default;

  [[nodiscard]] std::optional<FailureRecord> failure() const;
  [[nodiscard]] bool stopped() const;

 private:
  void run(const std::stop_token& stop);

  RendezvousFiles& files_;
  mutable std::mutex mutex_;  // guards the two below
  std::optional<FailureRecord> failure_;
  bool stopped_ = false;
  std::jthread thread_;
};

}  // namespace lockstep::node
