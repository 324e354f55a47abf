// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_results.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep {
namespace {

/// What all ranks have in one stretch.
struct Joined {
  double sum = 0, max = -std::numeric_limits<double>::infinity();  // of the ranks' means
  ValueSummary samples;                                            // only its extremes
  int ranks = 0;
  Step last = 0;

  [[nodiscard]] double value(AcrossRanks how) const {
    if (how == AcrossRanks::Sum) return sum;
    if (how == AcrossRanks::Max) return max;
    return sum / ranks;  // Last: all ranks have the same, or one alone has any
  }
};

void addRank(const MetricStore& samples, std::string_view metric, Rank rank, const PixelGrid& grid,
             std::vector<Joined>& all) {
  struct OfRank {
    double mean = 0, min = 0, max = 0;
    Step last = 0;
    bool isThere = false;
  };
  std::vector<OfRank> own(all.size());
  samples.forEachPixel(metric, rank, grid, [&](const PixelPart& part) {
    if (part.pixel < 0 || part.pixel >= grid.pixels || part.values.finite == 0) return;
    own[static_cast<std::size_t>(part.pixel)] = {part.values.mean(), part.values.min, part.values.max,
                                                 part.last, true};
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!own[i].isThere) continue;
    all[i].sum += own[i].mean;
    all[i].max = std::max(all[i].max, own[i].mean);
    all[i].samples.min = std::min(all[i].samples.min, own[i].min);
    all[i].samples.max = std::max(all[i].samples.max, own[i].max);
    all[i].last = std::max(all[i].last, own[i].last);
    ++all[i].ranks;
  }
}

AcrossRanks joinOf(std::string_view metric) {
  const MetricInfo* info = findMetric(metric);
  return info == nullptr ? AcrossRanks::Mean : info->across;
}

/// Quantities that say how good a run was, rather than what happened in it.
bool isResult(const MetricInfo& info) {
  return info.group == MetricGroup::Loss || info.group == MetricGroup::Throughput ||
         info.name == metric::kStepMs || info.name == metric::kGpuPercent;
}

std::optional<double> lastOver(const MetricStore& samples, std::string_view metric, Step& step) {
  std::vector<MetricPoint> newest;
  for (const Rank rank : samples.ranks(metric))
    if (const auto point = samples.last(metric, rank); point && std::isfinite(point->value))
      newest.push_back(*point);
  std::stable_sort(newest.begin(), newest.end(),
                   [](const MetricPoint& a, const MetricPoint& b) { return a.time < b.time; });
  std::vector<double> values;
  for (const MetricPoint& point : newest) {
    values.push_back(point.value);
    step = std::max(step, point.step);
  }
  return valueAcross(joinOf(metric), values);
}

void addBest(const RunCurve& curve, BetterValue better, RunResult& result) {
  if (better == BetterValue::Neither) return;
  for (const RunCurve::Part& part : curve.parts) {
    const bool isBetter = !result.best || (better == BetterValue::Smaller ? part.value < *result.best
                                                                          : part.value > *result.best);
    if (!isBetter) continue;
    result.best = part.value;
    result.bestStep = part.last;
  }
}

void addMean(const RunCurve& curve, RunResult& result) {
  if (curve.parts.empty()) return;
  const auto first = static_cast<double>(curve.parts.front().last);
  const auto last = static_cast<double>(curve.parts.back().last);
  const double from = last - (last - first) * kLastPart;
  std::vector<double> values;
  for (const RunCurve::Part& part : curve.parts)
    if (static_cast<double>(part.last) >= from) values.push_back(part.value);
  const auto estimate = meanOf(values);
  if (!estimate) return;
  result.mean = estimate->mean;
  result.error = estimate->error;
}

}  // namespace

RunCurve curveOf(const MetricStore& samples, std::string_view metric, const PixelGrid& grid) {
  RunCurve curve;
  if (grid.isEmpty()) return curve;
  std::vector<Joined> all(static_cast<std::size_t>(grid.pixels));
  for (const Rank rank : samples.ranks(metric)) addRank(samples, metric, rank, grid, all);
  const AcrossRanks how = joinOf(metric);
  int most = 0;
  for (const Joined& part : all) most = std::max(most, part.ranks);
  const bool isOneValue = how == AcrossRanks::Sum || how == AcrossRanks::Max;
  for (const Joined& part : all) {
    // A sum of some of the ranks says nothing of all of them.
    if (part.ranks == 0 || (how == AcrossRanks::Sum && part.ranks < most)) continue;
    const double value = part.value(how);
    curve.parts.push_back(
        {part.last, value, isOneValue ? value : part.samples.min, isOneValue ? value : part.samples.max});
  }
  return curve;
}

RunCurve curveOf(const MetricStore& samples, std::string_view metric) {
  const auto steps = samples.steps(metric);
  if (!steps) return {};
  // Of few steps each has a stretch of its own.
  const Step count = std::max<Step>(steps->second - steps->first, 0) + 1;
  const int pixels = static_cast<int>(std::min<Step>(count, kCurveParts));
  return curveOf(samples, metric,
                 {static_cast<double>(steps->first), static_cast<double>(steps->second + 1), pixels});
}

std::optional<MeanEstimate> meanOf(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += value;
  MeanEstimate estimate{sum / static_cast<double>(values.size()), {}};
  if (values.size() < 2 * kBatches) return estimate;
  double squares = 0;
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    const std::size_t from = batch * values.size() / kBatches;
    const std::size_t to = (batch + 1) * values.size() / kBatches;
    double ofBatch = 0;
    for (std::size_t i = from; i < to; ++i) ofBatch += values[i];
    const double difference = ofBatch / static_cast<double>(to - from) - estimate.mean;
    squares += difference * difference;
  }
  estimate.error = std::sqrt(squares / (kBatches - 1) / kBatches);
  return estimate;
}

std::vector<RunResult> resultsOf(const MetricStore& samples) {
  std::vector<RunResult> results;
  int own = 0;
  for (const std::string& name : samples.names()) {
    const MetricInfo* info = findMetric(name);
    if (info != nullptr ? !isResult(*info) : name.size() > kMaxResultName || ++own > kMaxOwnResults) continue;
    RunResult result;
    result.metric = name;
    const auto last = lastOver(samples, name, result.lastStep);
    if (!last) continue;
    result.last = *last;
    const RunCurve curve = curveOf(samples, name);
    addBest(curve, info == nullptr ? BetterValue::Neither : info->better, result);
    addMean(curve, result);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace lockstep
