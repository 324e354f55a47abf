// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "trainer/ddp/peers/peer_watch.h"
#include "workdir/object_store.h"

namespace lockstep::trainer {

/// Since when each rank has been where it is: in the same phase of the same step and collective.
class StandingTimes {
 public:
  /// When this standing of the rank was seen first; `now` when it is new.
  TimePoint since(const PeerStanding& seen, TimePoint now);

 private:
  std::map<int, std::pair<Standing, TimePoint>> last_;
};

/// The text of the heartbeat object: {"time": …, "ranks": [{"rank", "host", "pid", "activity", "step",
/// "collectives", "since"}], "waitingFor": [ranks]}. core/health/heartbeat.h reads it.
[[nodiscard]] std::string heartbeatText(TimePoint time, const std::vector<PeerStanding>& standings,
                                        const std::vector<PeerIdentity>& peers, StandingTimes& times);

/// Rank 0's word about all ranks, in one object of the work dir that is written anew every few seconds from a
/// thread of its own: whoever looks at a run that does not go on sees who is where. A put that fails is tried
/// again with the next; training does not depend on it. Thread-safe.
class HeartbeatWriter {
 public:
  static constexpr std::chrono::seconds kInterval{5};
  using Source = std::function<std::vector<PeerStanding>()>;

  /// `source` is called on the heartbeat's thread and must be valid until the heartbeat goes.
  HeartbeatWriter(std::shared_ptr<ObjectStore> store, std::string name, std::vector<PeerIdentity> peers,
                  Source source, std::chrono::milliseconds interval = kInterval);
  HeartbeatWriter(const HeartbeatWriter&) = delete;
  HeartbeatWriter& operator=(const HeartbeatWriter&) = delete;
  ~HeartbeatWriter() = default;

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
