// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/holdup.h"

#include <algorithm>

namespace lockstep {
namespace {

using std::chrono::nanoseconds;

bool isWaiting(const RankBeat& beat) {
  return beat.phase == RankPhase::Waiting;
}

const RankBeat* beatOf(const Pulse& pulse, Rank rank) {
  const auto found = std::lower_bound(pulse.ranks.begin(), pulse.ranks.end(), rank,
                                      [](const RankBeat& one, Rank wanted) { return one.rank < wanted; });
  return found != pulse.ranks.end() && found->rank == rank ? &*found : nullptr;
}

// Those that wait in a later collective than `beat` has begun.
Holdup behind(const Pulse& pulse, const RankBeat& beat, nanoseconds lasting) {
  Holdup holdup{Holdup::Kind::RankBehind, beat, 0, 0, lasting};
  for (const RankBeat& other : pulse.ranks) {
    if (!isWaiting(other) || other.collectives <= beat.collectives) continue;
    ++holdup.waiting;
    holdup.collective = std::max(holdup.collective, other.collectives);
  }
  return holdup;
}

std::optional<Holdup> nobodyBehind(const RunHealth& health) {
  const auto& ranks = health.pulse->ranks;
  if (ranks.size() < 2) return std::nullopt;
  nanoseconds shortest = nanoseconds::max();
  for (const RankBeat& beat : ranks) {
    const auto lasting = standingFor(health, beat);
    if (!isWaiting(beat) || beat.collectives != ranks.front().collectives || !lasting) return std::nullopt;
    shortest = std::min(shortest, *lasting);
  }
  if (shortest < kLongStanding) return std::nullopt;
  return Holdup{Holdup::Kind::NobodyBehind, ranks.front(), static_cast<int>(ranks.size()),
                ranks.front().collectives, shortest};
}

}  // namespace

nanoseconds pulseAge(const RunHealth& health, SteadyPoint now) {
  return health.pulse ? std::max(now - health.heard, nanoseconds(0)) : nanoseconds(0);
}

std::optional<nanoseconds> standingFor(const RunHealth& health, const RankBeat& beat) {
  if (!health.pulse || !beat.since) return std::nullopt;
  return std::max(health.pulse->time - *beat.since, nanoseconds(0));
}

std::vector<Holdup> holdupsAtEnd(const RunHealth& health) {
  std::vector<Holdup> found;
  if (!health.pulse) return found;
  const Pulse& pulse = *health.pulse;
  for (const Rank rank : pulse.waitingFor) {
    const RankBeat* beat = beatOf(pulse, rank);
    const auto lasting = beat != nullptr ? standingFor(health, *beat) : std::nullopt;
    if (!lasting || *lasting < kLongStanding) continue;
    if (Holdup holdup = behind(pulse, *beat, *lasting); holdup.waiting > 0)
      found.push_back(std::move(holdup));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Holdup& a, const Holdup& b) { return a.lasting > b.lasting; });
  if (pulse.waitingFor.empty())
    if (auto all = nobodyBehind(health)) found.push_back(*std::move(all));
  return found;
}

std::vector<Holdup> holdupsIn(const RunHealth& health, SteadyPoint now) {
  if (!health.pulse || health.pulse->ranks.empty()) return {};
  // Nothing newer is known of the others either.
  if (const auto age = pulseAge(health, now); age >= kOldPulse)
    return {{Holdup::Kind::NoPulse, health.pulse->ranks.front(), 0, 0, age}};
  return holdupsAtEnd(health);
}

}  // namespace lockstep
