// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/collectives/arrival_notices.h"

#include <algorithm>

namespace lockstep::trainer {

std::optional<ArrivalTally::Time> ArrivalTally::add(long long collective, Time time) {
  constexpr std::size_t kMaxOpen = 16;  // ranks are never further apart than a collective
  Count& count = open_[collective];
  count.latest = count.ranks == 0 ? time : std::max(count.latest, time);
  if (++count.ranks < worldSize_) {
    if (open_.size() > kMaxOpen) open_.erase(open_.begin());
    return std::nullopt;
  }
  const Time latest = count.latest;
  open_.erase(open_.begin(), open_.upper_bound(collective));
  return latest;
}

void ForeignClock::hear(long long sentNs, Time now) {
  const long long offset =
      std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count() - sentNs;
  offset_ = heard_ ? std::min(offset_, offset) : offset;
  heard_ = true;
}

}  // namespace lockstep::trainer
