// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/rank_metrics.h"

#include <algorithm>

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxNames = 4096;  // of one rank; more are no quantities
constexpr std::size_t kMaxWaiting = 4096;
// TensorBoard's writers keep scalars for two minutes before they write them.
constexpr std::chrono::nanoseconds kLongestHold = 150s;
constexpr std::chrono::nanoseconds kMargin = 1s;

}  // namespace

std::vector<NamedValue> RankMetrics::wantedOf(MetricOrigin origin, const Values& values) {
  std::vector<NamedValue> wanted;
  for (const auto& [name, value] : values) {
    auto known = origins_.find(name);
    if (known == origins_.end()) {
      if (origins_.size() == kMaxNames) continue;
      known = origins_.emplace(name, origin).first;
    }
    if (origin < known->second) continue;
    known->second = origin;
    wanted.emplace_back(known->first, value);
  }
  return wanted;
}

// What comes so late that others have been handed over meanwhile counts as of the moment up to which that was.
void RankMetrics::noteStep(Step step, TimePoint& time, TimePoint now) {
  const std::chrono::nanoseconds late = now - time + kMargin;
  if (late <= kLongestHold) hold_ = std::max(hold_, late);  // else it is of a past that was found only now
  time = std::max(time, settled_);
  step_ = step;
  const auto after = std::upper_bound(path_.begin(), path_.end(), time,
                                      [](TimePoint at, const auto& one) { return at < one.first; });
  path_.insert(after, {time, step});
  while (path_.size() > 2 && path_[1].first < path_.back().first - 2 * kLongestHold) path_.pop_front();
}

void RankMetrics::add(MetricOrigin origin, Step step, TimePoint time, const Values& values, TimePoint now) {
  std::vector<NamedValue> wanted = wantedOf(origin, values);
  if (listener_ && !wanted.empty()) listener_(step >= 0 ? std::optional(step) : std::nullopt, time, wanted);
  if (!writer_) return;
  if (origin >= stepsFrom_ || !step_) {
    stepsFrom_ = std::max(stepsFrom_, origin);
    noteStep(step, time, now);
    if (!wanted.empty()) writer_->record(step, time, wanted);
  } else if (!wanted.empty()) {
    waiting_.push_back({time, std::move(wanted), *step_});
  }
}

void RankMetrics::addUsage(TimePoint time, const std::vector<NamedValue>& values, Step otherwise) {
  if (values.empty()) return;
  if (listener_) listener_(std::nullopt, time, values);
  if (!writer_) return;
  waiting_.push_back({time, values, otherwise});
  if (waiting_.size() > kMaxWaiting) settleUntil(waiting_.front().time);
}

Step RankMetrics::stepAt(TimePoint time, Step otherwise) const {
  if (path_.empty()) return otherwise;
  const auto after = std::upper_bound(path_.begin(), path_.end(), time,
                                      [](TimePoint at, const auto& one) { return at < one.first; });
  return after == path_.begin() ? path_.front().second : std::prev(after)->second;
}

void RankMetrics::settleUntil(TimePoint time) {
  const auto ripe = std::stable_partition(waiting_.begin(), waiting_.end(),
                                          [&](const Waiting& one) { return one.time <= time; });
  std::stable_sort(waiting_.begin(), ripe,
                   [](const Waiting& a, const Waiting& b) { return a.time < b.time; });
  for (auto one = waiting_.begin(); one != ripe; ++one) {
    writer_->record(stepAt(one->time, one->otherwise), one->time, one->values);
    settled_ = std::max(settled_, one->time);
  }
  waiting_.erase(waiting_.begin(), ripe);
}

bool RankMetrics::flush(std::chrono::milliseconds limit) {
  settleUntil(TimePoint::max());
  return !writer_ || writer_->flush(limit);
}

}  // namespace lockstep::node
