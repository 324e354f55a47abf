// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "trainer/ddp/peer_watch.h"
#include "workdir/object_store.h"

namespace lockstep::trainer {

/// The text of the heartbeat object: {"time": …, "ranks": [{"rank", "host", "pid", "activity", "step",
/// "collectives"}], "waitingFor": [ranks]}.
[[nodiscard]] std::string heartbeatText(TimePoint time, const std::vector<PeerStanding>& standings,
                                        const std::vector<PeerIdentity>& peers);

/// Rank 0's word about all ranks, in one object of the work dir that is written anew every few seconds from a
/// thread of its own: whoever looks at a run that does not go on sees who is where. A put that fails is tried
/// again with the next; training does not depend on it. Thread-safe.
class Heartbeat {
 public:
  static constexpr std::chrono::seconds kInterval{5};
  using Source = std::function<std::vector<PeerStanding>()>;

  /// `source` is called on the heartbeat's thread and must be valid until the heartbeat goes.
  Heartbeat(std::shared_ptr<ObjectStore> store, std::string name, std::vector<PeerIdentity> peers,
            Source source, std::chrono::milliseconds interval = kInterval);
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;
  ~Heartbeat() = default;

 private:
  void run(const std::stop_token& stop);

  std::shared_ptr<ObjectStore> store_;
  std::string name_;
  std::vector<PeerIdentity> peers_;
  Source source_;
  std::chrono::milliseconds interval_;
  std::jthread thread_;
};

}  // namespace lockstep::trainer
