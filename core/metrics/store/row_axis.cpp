// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/row_axis.h"

#include <algorithm>

namespace lockstep {
namespace {

// Threads of a rank record side by side, so a row may be a little older than the first one.
constexpr std::uint64_t kTimeBefore = std::uint64_t{1} << 46U;
constexpr std::uint64_t kTimeSpan = std::uint64_t{1} << 48U;

std::uint64_t nanos(TimePoint time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

/// The first row of `count` that `isBefore` says no of.
template <class IsBefore>
std::uint32_t partitionPoint(std::uint32_t count, IsBefore isBefore) {
  std::uint32_t first = 0;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    if (isBefore(first + half)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

}  // namespace

bool RowAxis::append(const RowKey& key) {
  if (stepLow_.empty()) {
    baseStep_ = key.step;
    baseTime_ = TimePoint(TimePoint::duration(static_cast<std::int64_t>(nanos(key.time) - kTimeBefore)));
    minTime_ = maxTime_ = key.time;
  }
  const std::uint64_t steps = static_cast<std::uint64_t>(key.step) - static_cast<std::uint64_t>(baseStep_);
  const std::uint64_t time = nanos(key.time) - nanos(baseTime_);
  if (steps > 0xFFFF'FFFFU || time >= kTimeSpan) return false;
  if (steps > 0xFFFFU && stepHigh_.empty()) stepHigh_.assign(stepLow_.size(), 0);
  if (steps > 0xFFFFU || !stepHigh_.empty()) stepHigh_.push_back(static_cast<std::uint16_t>(steps >> 16U));
  stepLow_.push_back(static_cast<std::uint16_t>(steps));
  timeLow_.push_back(static_cast<std::uint32_t>(time));
  timeHigh_.push_back(static_cast<std::uint16_t>(time >> 32U));
  minTime_ = std::min(minTime_, key.time);
  maxTime_ = std::max(maxTime_, key.time);
  return true;
}

TimePoint RowAxis::time(std::uint32_t row) const {
  const std::uint64_t since = std::uint64_t{timeHigh_[row]} << 32U | timeLow_[row];
  return TimePoint(TimePoint::duration(static_cast<std::int64_t>(nanos(baseTime_) + since)));
}

std::uint32_t RowAxis::firstAt(Step wanted) const {
  return partitionPoint(size(), [&](std::uint32_t row) { return step(row) < wanted; });
}

std::uint32_t RowAxis::firstAt(const RowKey& wanted) const {
  return partitionPoint(size(), [&](std::uint32_t row) { return key(row) < wanted; });
}

void RowAxis::keepFirst(std::uint32_t rows) {
  stepLow_.resize(rows);
  if (!stepHigh_.empty()) stepHigh_.resize(rows);
  timeLow_.resize(rows);
  timeHigh_.resize(rows);
  minTime_ = maxTime_ = time(0);
  for (std::uint32_t row = 1; row < rows; ++row) {
    minTime_ = std::min(minTime_, time(row));
    maxTime_ = std::max(maxTime_, time(row));
  }
}

void RowAxis::shrink() {
  stepLow_.shrink_to_fit();
  stepHigh_.shrink_to_fit();
  timeLow_.shrink_to_fit();
  timeHigh_.shrink_to_fit();
}

std::size_t RowAxis::bytes() const {
  return (stepLow_.capacity() + stepHigh_.capacity() + timeHigh_.capacity()) * sizeof(std::uint16_t) +
         timeLow_.capacity() * sizeof(std::uint32_t);
}

}  // namespace lockstep
