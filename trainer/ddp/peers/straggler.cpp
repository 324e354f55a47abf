// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/peers/straggler.h"

#include <algorithm>

namespace lockstep::trainer {

std::optional<Straggler> StragglerRule::add(const std::vector<PeerStanding>& standings, Time now) {
  constexpr std::chrono::minutes kQuiet{1};
  long long min = kMinCollectives;
  for (const PeerStanding& one : standings) {
    const auto begin = begin_.find(one.rank);
    min = std::min(min, begin == begin_.end() ? 0 : one.standing.collectives - begin->second.collectives);
  }
  const bool full = !begin_.empty() && begin_.size() == standings.size() && now - since_ >= kWindow &&
                    min >= kMinCollectives;
  std::optional<Straggler> found;
  if (full) found = evaluate(standings, std::chrono::duration<double, std::milli>(now - since_).count());
  if (full || begin_.size() != standings.size()) {
    begin_.clear();
    for (const PeerStanding& one : standings) begin_[one.rank] = one.standing;
    since_ = now;
  }
  if (!found) return std::nullopt;
  const auto told = told_.find(found->rank);
  if (told != told_.end() && now - told->second < kQuiet) return std::nullopt;
  told_[found->rank] = now;
  return found;
}

std::optional<Straggler> StragglerRule::evaluate(const std::vector<PeerStanding>& standings,
                                                 double windowMs) const {
  struct Busy {
    int rank;
    double ms;
    long long collectives;
  };
  std::vector<Busy> busy;
  for (const PeerStanding& one : standings) {
    const Standing& begin = begin_.at(one.rank);
    const long long collectives = one.standing.collectives - begin.collectives;
    const double total = static_cast<double>(one.standing.busyMicros - begin.busyMicros) / 1e3;
    busy.push_back({one.rank, total / static_cast<double>(collectives), collectives});
  }
  if (busy.size() < 2) return std::nullopt;
  std::sort(busy.begin(), busy.end(), [](const Busy& a, const Busy& b) { return a.ms < b.ms; });
  const Busy slowest = busy.back();
  const double median = busy[(busy.size() - 1) / 2].ms;
  const double lost = (slowest.ms - median) * static_cast<double>(slowest.collectives);
  if (slowest.ms < kFactor * median || lost < kShareOfTime * windowMs) return std::nullopt;
  return Straggler{slowest.rank, slowest.ms, median};
}

}  // namespace lockstep::trainer
