// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/rendezvous/cluster_watch.h"

namespace lockstep::node {

std::optional<FailureRecord> ClusterWatch::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

bool ClusterWatch::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

void ClusterWatch::run(const std::stop_token& stop) {
  constexpr std::chrono::seconds kInterval{1};
  SystemClock clock;
  while (!stop.stop_requested()) {
    // The stop mark is written after the failure record, so look for the mark first: whoever sees it sees the
    // record.
    const auto stopped = files_.stopped(stop);
    const auto failed = files_.failure(stop);
    {
      const std::lock_guard lock(mutex_);
      if (failed && *failed && !failure_) failure_ = **failed;
      if (stopped && *stopped) stopped_ = true;
    }
    if (!clock.sleepFor(kInterval, stop)) return;
  }
}

}  // namespace lockstep::node
