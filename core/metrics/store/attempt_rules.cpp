// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/attempt_rules.h"

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

/// By from where to where they reach alone: `low` stands before `high`.
bool goesBackAsAWhole(const SampleChunk* low, const SampleChunk* high) {
  return low != nullptr && high != nullptr &&
         (fallsBack(low->last().step, high->first().step) || high->maxTime() < low->minTime());
}

}  // namespace

void AttemptExtent::include(const RowKey& key) {
  minStep = std::min(minStep, key.step);
  maxStep = std::max(maxStep, key.step);
  minTime = std::min(minTime, key.time);
  maxTime = std::max(maxTime, key.time);
}

std::vector<std::uint32_t> byTime(const std::vector<RowKey>& keys) {
  std::vector<std::uint32_t> rows(keys.size());
  std::iota(rows.begin(), rows.end(), 0U);
  const auto timeOf = [&keys](std::uint32_t row) { return keys[row].time; };
  if (!std::ranges::is_sorted(rows, {}, timeOf)) std::ranges::stable_sort(rows, {}, timeOf);
  return rows;
}

std::vector<std::uint32_t> attemptsAmong(const std::vector<RowKey>& keys, std::size_t max) {
  std::vector<std::uint32_t> attempts(keys.size());
  std::uint32_t attempt = 0;
  std::optional<Step> reached;
  for (const std::uint32_t row : byTime(keys)) {
    const Step step = keys[row].step;
    if (reached && fallsBack(*reached, step) && attempt + 1 < max) {
      ++attempt;
      reached.reset();
    }
    reached = std::max(reached.value_or(step), step);
    attempts[row] = attempt;
  }
  return attempts;
}

std::optional<std::size_t> attemptFor(const std::vector<AttemptExtent>& known, const RowKey& key) {
  const auto after = std::ranges::upper_bound(known, key.time, {}, &AttemptExtent::minTime);
  const auto next = static_cast<std::size_t>(after - known.begin());
  if (next > 0) {
    const AttemptExtent& last = known[next - 1];
    if (key.time <= last.maxTime || !fallsBack(last.maxStep, key.step)) return next - 1;
  }
  if (next == known.size()) return next;
  return fallsBack(key.step, known[next].minStep) ? std::nullopt : std::optional(next);
}

bool goesBack(const SampleChunk* before, const SampleChunk& chunk, const SampleChunk* behind) {
  const auto isCoarse = [](const SampleChunk* one) { return one != nullptr && one->isCoarse(); };
  if ((chunk.isCoarse() || isCoarse(before)) && goesBackAsAWhole(before, &chunk)) return true;
  if ((chunk.isCoarse() || isCoarse(behind)) && goesBackAsAWhole(&chunk, behind)) return true;
  if (chunk.isCoarse()) return false;
  if (isCoarse(before)) before = nullptr;
  if (isCoarse(behind)) behind = nullptr;
  const RowAxis& axis = chunk.axis();
  TimePoint latest = TimePoint::min();  // of the rows that are more than a step lower
  std::uint32_t lower = 0;
  for (std::uint32_t row = 0; row < axis.size(); ++row) {
    const Step step = axis.step(row);
    const TimePoint time = axis.time(row);
    while (fallsBack(step, axis.step(lower))) latest = std::max(latest, axis.time(lower++));
    if (time < latest) return true;
    if (before != nullptr && time < before->maxTime() && fallsBack(step, before->last().step)) return true;
    if (behind != nullptr && time > behind->minTime() && fallsBack(behind->first().step, step)) return true;
  }
  return false;
}

}  // namespace lockstep
