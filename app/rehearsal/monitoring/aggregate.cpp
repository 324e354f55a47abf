// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/monitoring/aggregate.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lockstep::rehearsal {
namespace {

using Samples = std::vector<MetricSample>;
using Place = Samples::const_iterator;

bool isEarlier(const MetricSample& a, const MetricSample& b) {
  return a.millis < b.millis;
}

Place firstFrom(const Samples& samples, long long millis) {
  return std::lower_bound(samples.begin(), samples.end(), MetricSample{millis, 0, 0}, isEarlier);
}

// The smallest value below or at which that share of the samples lies.
double percentileOf(Place first, Place last, double share) {
  Samples sorted(first, last);
  std::sort(sorted.begin(), sorted.end(),
            [](const MetricSample& a, const MetricSample& b) { return a.value < b.value; });
  double total = 0, seen = 0;
  for (const MetricSample& sample : sorted) total += sample.count;
  for (const MetricSample& sample : sorted) {
    seen += sample.count;
    if (seen >= share * total - 1e-9) return sample.value;
  }
  return sorted.back().value;
}

// The change since the sample before the window, or within it when there is none.
std::optional<double> changeOf(const Samples& all, Place first, Place last, bool perSecond) {
  const Place newest = last - 1;
  const Place oldest = first != all.begin() ? first - 1 : first;
  if (newest == oldest) return std::nullopt;
  const double change = newest->value - oldest->value;
  const double seconds = static_cast<double>(newest->millis - oldest->millis) / 1000.0;
  return perSecond ? change / seconds : change;
}

struct Sums {
  double sum = 0, count = 0;
};
Sums sumsOf(Place first, Place last) {
  Sums sums;
  for (; first != last; ++first) {
    sums.sum += first->value * first->count;
    sums.count += first->count;
  }
  return sums;
}

bool hasLowerValue(const MetricSample& a, const MetricSample& b) {
  return a.value < b.value;
}

std::optional<double> valueOf(const MqlStep& step, const Samples& all, Place first, Place last) {
  if (step.statistic == Statistic::Absent) return first == last ? 1 : 0;
  if (first == last) return std::nullopt;
  switch (step.statistic) {
    case Statistic::Mean: {
      const Sums sums = sumsOf(first, last);
      return sums.count > 0 ? std::optional(sums.sum / sums.count) : std::nullopt;
    }
    case Statistic::Sum:
      return sumsOf(first, last).sum;
    case Statistic::Count:
      return sumsOf(first, last).count;
    case Statistic::Max:
      return std::max_element(first, last, hasLowerValue)->value;
    case Statistic::Min:
      return std::min_element(first, last, hasLowerValue)->value;
    case Statistic::First:
      return first->value;
    case Statistic::Last:
      return (last - 1)->value;
    case Statistic::Percentile:
      return percentileOf(first, last, step.percentile);
    case Statistic::Rate:
      return changeOf(all, first, last, true);
    case Statistic::Increment:
      return changeOf(all, first, last, false);
    case Statistic::Absent:
      break;
  }
  return std::nullopt;
}

Samples reduce(const Samples& all, const MqlStep& step, const Windows& windows) {
  Samples values;
  // absent(20m) looks back from the end of the window.
  const long long back =
      step.statistic == Statistic::Absent ? std::max(0LL, step.absentMillis - windows.width) : 0;
  for (long long at = windows.begin; at < windows.end; at += windows.spacing) {
    const Place first = firstFrom(all, at - back);
    const Place last = firstFrom(all, at + windows.width);
    const auto value = valueOf(step, all, first, last);
    if (value && std::isfinite(*value)) values.push_back({at, *value, 1});
  }
  return values;
}

std::vector<MetricSeries> merge(std::vector<MetricSeries> series, const MqlStep& step) {
  if (!step.isGrouped) return series;
  std::map<std::map<std::string, std::string>, Samples> groups;
  for (MetricSeries& one : series) {
    std::map<std::string, std::string> key;
    bool hasAll = true;
    for (const std::string& dimension : step.groupBy) {
      const auto found = one.dimensions.find(dimension);
      hasAll = hasAll && found != one.dimensions.end();
      if (found != one.dimensions.end()) key.insert(*found);
    }
    if (!hasAll) continue;  // a stream without the dimension belongs to no group
    Samples& samples = groups[key];
    samples.insert(samples.end(), one.samples.begin(), one.samples.end());
  }
  std::vector<MetricSeries> merged;
  for (auto& [key, samples] : groups) {
    std::stable_sort(samples.begin(), samples.end(), isEarlier);
    merged.push_back({key, std::move(samples)});
  }
  return merged;
}

}  // namespace

std::vector<MetricSeries> aggregate(std::vector<MetricSeries> series, const MqlQuery& query,
                                    const Windows& windows) {
  Windows now = windows;
  for (const MqlStep& step : query.steps) {
    series = merge(std::move(series), step);
    for (MetricSeries& one : series) one.samples = reduce(one.samples, step, now);
    now.width = now.spacing;  // a later step sees one value for each window
  }
  if (query.predicate)
    for (MetricSeries& one : series)
      std::erase_if(one.samples, [&](const MetricSample& s) { return !query.predicate->accepts(s.value); });
  std::erase_if(series, [](const MetricSeries& one) { return one.samples.empty(); });
  return series;
}

}  // namespace lockstep::rehearsal
