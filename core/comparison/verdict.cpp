// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

constexpr int kMostDecimals = 9;

/// The runs that have a mean of it, the best first.
std::vector<std::size_t> ranked(const std::vector<ComparedRun>& runs, const std::string& metric,
                                bool isLargerBetter) {
  std::vector<std::size_t> order;
  const auto mean = [&](std::size_t run) { return *resultNamed(runs[run].results, metric)->mean; };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunResult* result = resultNamed(runs[i].results, metric);
    if (result != nullptr && result->mean && std::isfinite(*result->mean)) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return isLargerBetter ? mean(a) > mean(b) : mean(a) < mean(b);
  });
  return order;
}

/// As a title within a sentence: "Samples per second" -> "samples per second", of a script's own its name.
std::string titleInSentence(const std::string& metric) {
  const MetricInfo* info = findMetric(metric);
  if (info == nullptr) return metric;
  std::string title = info->title;
  const bool isWord = title.size() < 2 || title[1] < 'A' || title[1] > 'Z';  // "GPU" stays
  if (isWord && title[0] >= 'A' && title[0] <= 'Z') title[0] = static_cast<char>(title[0] - 'A' + 'a');
  return title;
}

std::string amountOf(const Verdict& verdict) {
  const RoundedNumber number = rounded(verdict.difference, verdict.uncertainty);
  if (number.uncertainty.empty()) return number.value;
  return number.value + " ± " + number.uncertainty;
}

}  // namespace

Verdict verdictOn(const std::vector<ComparedRun>& runs, const std::string& metric) {
  Verdict verdict;
  verdict.metric = metric;
  const MetricInfo* info = findMetric(metric);
  if (info == nullptr || info->better == BetterValue::Neither) return verdict;
  verdict.isLargerBetter = info->better == BetterValue::Larger;
  const std::vector<std::size_t> order = ranked(runs, metric, verdict.isLargerBetter);
  if (order.size() < 2) return verdict;
  verdict.best = order[0];
  verdict.next = order[1];
  const RunResult& best = *resultNamed(runs[verdict.best].results, metric);
  const RunResult& next = *resultNamed(runs[verdict.next].results, metric);
  verdict.difference = std::abs(*best.mean - *next.mean);
  if (*next.mean != 0) verdict.share = verdict.difference / std::abs(*next.mean);
  if (best.error && next.error) verdict.uncertainty = kSureErrors * std::hypot(*best.error, *next.error);
  const bool isClear = verdict.uncertainty && verdict.difference > *verdict.uncertainty;
  verdict.kind = isClear ? Verdict::Kind::Clear : Verdict::Kind::Open;
  return verdict;
}

RoundedNumber rounded(double value, std::optional<double> uncertainty) {
  if (!uncertainty || !(*uncertainty > 0) || !std::isfinite(*uncertainty))
    return {fmt::format("{:.4g}", value), uncertainty && *uncertainty == 0 ? "0" : ""};
  // One digit of the uncertainty; two where that begins with a 1, which rounds coarsely.
  const double exponent = std::floor(std::log10(*uncertainty));
  const bool isOne = *uncertainty < 2 * std::pow(10, exponent);
  const int decimals = std::clamp(static_cast<int>(-exponent) + (isOne ? 1 : 0), 0, kMostDecimals);
  return {fmt::format("{:.{}f}", value, decimals), fmt::format("{:.{}f}", *uncertainty, decimals)};
}

std::string toText(const Verdict& verdict, const std::vector<std::string>& labels) {
  if (verdict.kind == Verdict::Kind::Unknown) return {};
  const std::string title = titleInSentence(verdict.metric);
  const std::string& best = labels[verdict.best];
  const std::string& next = labels[verdict.next];
  const char* word = verdict.isLargerBetter ? "higher" : "lower";
  if (verdict.kind == Verdict::Kind::Clear)
    return fmt::format("{}'s {} is {} {} than {}'s", best, title, amountOf(verdict), word, next);
  if (!verdict.uncertainty)
    return fmt::format("{}'s {} is {} {} than {}'s; too few values tell how sure that is", best, title,
                       amountOf(verdict), word, next);
  return fmt::format("no difference in {} between {} and {} can be told: {}", title, best, next,
                     amountOf(verdict));
}

std::string verdictLine(const std::vector<ComparedRun>& runs, const std::string& metric) {
  const auto labels = labelsOf(runs);
  std::string line = toText(verdictOn(runs, metric), labels);
  for (const std::string_view rate : {metric::kTokensPerSecond, metric::kSamplesPerSecond}) {
    if (metric == rate) continue;
    const Verdict throughput = verdictOn(runs, std::string(rate));
    if (throughput.kind != Verdict::Kind::Clear) continue;
    const double percent = 100 * throughput.share;
    const double base = throughput.share > 0 ? throughput.difference / throughput.share : 0;
    const RoundedNumber number =
        rounded(percent, base > 0 ? std::optional(100 * *throughput.uncertainty / base) : std::nullopt);
    line += fmt::format("{}{} is {} ± {} % faster than {}", line.empty() ? "" : "; ", labels[throughput.best],
                        number.value, number.uncertainty, labels[throughput.next]);
    break;
  }
  return line;
}

}  // namespace lockstep
