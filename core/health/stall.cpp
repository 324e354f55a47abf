// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/stall.h"

#include <algorithm>

namespace lockstep {
namespace {

using std::chrono::nanoseconds;

bool isWaiting(const RankHeartbeat& beat) {
  return beat.phase == RankPhase::Waiting;
}

const RankHeartbeat* beatOf(const Heartbeat& heartbeat, Rank rank) {
  const auto found =
      std::lower_bound(heartbeat.ranks.begin(), heartbeat.ranks.end(), rank,
                       [](const RankHeartbeat& one, Rank wanted) { return one.rank < wanted; });
  return found != heartbeat.ranks.end() && found->rank == rank ? &*found : nullptr;
}

// Those that wait in a later collective than `beat` has begun.
Stall behind(const Heartbeat& heartbeat, const RankHeartbeat& beat, nanoseconds lasting) {
  Stall stall{Stall::Kind::RankBehind, beat, 0, 0, lasting};
  for (const RankHeartbeat& other : heartbeat.ranks) {
    if (!isWaiting(other) || other.collectives <= beat.collectives) continue;
    ++stall.waiting;
    stall.collective = std::max(stall.collective, other.collectives);
  }
  return stall;
}

std::optional<Stall> nobodyBehind(const RunHealth& health) {
  const auto& ranks = health.heartbeat->ranks;
  if (ranks.size() < 2) return std::nullopt;
  nanoseconds shortest = nanoseconds::max();
  for (const RankHeartbeat& beat : ranks) {
    const auto lasting = standingFor(health, beat);
    if (!isWaiting(beat) || beat.collectives != ranks.front().collectives || !lasting) return std::nullopt;
    shortest = std::min(shortest, *lasting);
  }
  if (shortest < kLongStanding) return std::nullopt;
  return Stall{Stall::Kind::NobodyBehind, ranks.front(), static_cast<int>(ranks.size()),
               ranks.front().collectives, shortest};
}

}  // namespace

nanoseconds heartbeatAge(const RunHealth& health, SteadyPoint now) {
  return health.heartbeat ? std::max(now - health.heard, nanoseconds(0)) : nanoseconds(0);
}

std::optional<nanoseconds> standingFor(const RunHealth& health, const RankHeartbeat& beat) {
  if (!health.heartbeat || !beat.since) return std::nullopt;
  return std::max(health.heartbeat->time - *beat.since, nanoseconds(0));
}

std::vector<Stall> findStallsAtEnd(const RunHealth& health) {
  std::vector<Stall> found;
  if (!health.heartbeat) return found;
  const Heartbeat& heartbeat = *health.heartbeat;
  for (const Rank rank : heartbeat.waitingFor) {
    const RankHeartbeat* beat = beatOf(heartbeat, rank);
    const auto lasting = beat != nullptr ? standingFor(health, *beat) : std::nullopt;
    if (!lasting || *lasting < kLongStanding) continue;
    if (Stall stall = behind(heartbeat, *beat, *lasting); stall.waiting > 0)
      found.push_back(std::move(stall));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Stall& a, const Stall& b) { return a.lasting > b.lasting; });
  if (heartbeat.waitingFor.empty())
    if (auto all = nobodyBehind(health)) found.push_back(*std::move(all));
  return found;
}

std::vector<Stall> findStalls(const RunHealth& health, SteadyPoint now) {
  if (!health.heartbeat || health.heartbeat->ranks.empty()) return {};
  // Nothing newer is known of the others either.
  if (const auto age = heartbeatAge(health, now); age >= kOldHeartbeat)
    return {{Stall::Kind::NoHeartbeat, health.heartbeat->ranks.front(), 0, 0, age}};
  return findStallsAtEnd(health);
}

}  // namespace lockstep
