// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/printed_samples.h"

#include <algorithm>

#include "base/text/encoding.h"

namespace lockstep {

namespace {

constexpr std::size_t kMaxExample = 200;

LineMatcher matcherFor(const LineChoice& choice) {
  auto matcher = LineMatcher::open(choice);
  return matcher ? *std::move(matcher) : std::move(LineMatcher::open().value());
}

}  // namespace

PrintedSamples::PrintedSamples(const LineChoice& choice) : matcher_(matcherFor(choice)) {}

void PrintedSamples::add(const std::optional<Rank>& rank, TimePoint time, std::string_view text) {
  if (!rank) return;
  const auto match = matcher_.match(text);
  if (!match) return;
  if (!uses_.contains(match->rule)) noteUse(match->rule, time, text);
  for (const PrintedRow& row : ranks_[*rank].add(*match, matcher_.rules()[match->rule], time))
    for (const auto& [name, value] : row.values)
      series_[{*rank, name}].push_back({row.step, row.time, value});
}

void PrintedSamples::noteUse(std::size_t rule, TimePoint time, std::string_view text) {
  const LineRule& known = matcher_.rules()[rule];
  LineRuleUse& use = uses_[rule];
  use.id = known.id;
  if (*known.example == '\0') use.pattern = known.pattern;
  use.since = time;
  std::string example = withoutColours(text.substr(0, 4 * kMaxExample));
  if (example.size() > kMaxExample) example.resize(kMaxExample);
  use.example = toValidUtf8(example);
}

std::vector<LineRuleUse> PrintedSamples::uses() const {
  std::vector<LineRuleUse> all;
  for (const auto& [number, known] : uses_) {
    LineRuleUse use = known;
    for (const auto& [rank, recognizer] : ranks_) {
      const auto found = recognizer.uses().find(number);
      if (found == recognizer.uses().end()) continue;
      use.lines += found->second.lines;
      use.isActive = use.isActive || (found->second.isActive && found->second.offBecause.empty());
      if (use.offBecause.empty()) use.offBecause = found->second.offBecause;
    }
    if (use.isActive) use.offBecause.clear();
    all.push_back(std::move(use));
  }
  return all;
}

std::vector<MetricSeriesBatch> PrintedSamples::take() {
  std::vector<MetricSeriesBatch> batches;
  for (auto& [key, points] : series_) {
    std::ranges::stable_sort(points, {}, &MetricPoint::step);
    batches.push_back({key.second, key.first, std::move(points), {}});
  }
  series_.clear();
  return batches;
}

}  // namespace lockstep
