// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "trainer/ddp/peers/peer_watch.h"

namespace lockstep::trainer {

/// A rank that the others wait for again and again.
struct Straggler {
  int rank = 0;
  double busyMs = 0;    // between two collectives, of this rank
  double othersMs = 0;  // median of the others
};

/// Finds the rank that is slower than the others by what each does *between* collectives: in a step itself
/// all take equally long, because they wait for each other. Needs some seconds of standings; tells each rank
/// at most once a minute. One thread.
class StragglerRule {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr double kFactor = 1.5;       // slower than the others' median by this much, and
  static constexpr double kShareOfTime = 0.1;  // the others lose this much of their time by it
  static constexpr std::chrono::seconds kWindow{5};
  static constexpr long long kMinCollectives = 5;

  std::optional<Straggler> add(const std::vector<PeerStanding>& standings, Time now);

 private:
  std::optional<Straggler> evaluate(const std::vector<PeerStanding>& standings, double windowMs) const;

  std::map<int, Standing> begin_;  // of the window
  Time since_{};
  std::map<int, Time> told_;
};

}  // namespace lockstep::trainer
