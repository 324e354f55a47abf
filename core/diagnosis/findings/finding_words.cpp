// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/findings/finding_words.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "diagnosis/findings/finding_catalogue.h"
#include "metrics/metric_catalogue.h"

namespace lockstep {
namespace {

using nlohmann::json;

std::string englishOf(const FindingArgument& argument) {
  if (argument.kind != FindingArgument::Kind::Metric) return argument.text;
  const MetricInfo* info = findMetric(argument.text);
  return info == nullptr ? argument.text : info->title;
}

json textsOf(const std::vector<FindingText>& texts) {
  json all = json::array();
  for (const FindingText& text : texts) all.push_back(englishOf(text));
  return all;
}

}  // namespace

std::string englishOf(const FindingText& text) {
  std::string english;
  for (const char* at = text.english; *at != '\0'; ++at) {
    const auto place = static_cast<std::size_t>(at[1] - '1');
    if (*at != '%' || place >= text.arguments.size()) {
      english += *at;
      continue;
    }
    english += englishOf(text.arguments[place]);
    ++at;
  }
  return english;
}

std::string oneLineOf(const RunFinding& finding) {
  std::string line = englishOf(finding.what);
  if (!finding.cause.isEmpty()) line += ": " + englishOf(finding.cause);
  if (!finding.remedy.isEmpty()) line += "; " + englishOf(finding.remedy);
  return line;
}

bool saysMore(const RunFinding& finding, const std::string& failure) {
  if (finding.kind == FindingKind::Stall) return finding.detail == "no-step";
  if (finding.kind != FindingKind::FirstFailure || !finding.evidence.empty()) return true;
  return failure.empty() || !englishOf(finding.what).ends_with(failure);
}

json toJson(const RunFinding& finding) {
  json ranks = json::array();
  for (const Rank rank : finding.ranks) ranks.push_back(rank.value);
  return {{"key", finding.key()},
          {"kind", infoOf(finding.kind).code},
          {"severity", codeOf(finding.severity)},
          {"ranks", std::move(ranks)},
          {"metric", finding.metric.empty() ? json(nullptr) : json(finding.metric)},
          {"what", englishOf(finding.what)},
          {"cause", englishOf(finding.cause)},
          {"remedy", englishOf(finding.remedy)},
          {"evidence", textsOf(finding.evidence)},
          {"unmeasured", textsOf(finding.unmeasured)},
          {"confidence", std::round(finding.confidence * 100) / 100},
          {"since", toRfc3339(finding.since)},
          {"step", finding.step ? json(*finding.step) : json(nullptr)},
          {"end", finding.end ? json(toRfc3339(*finding.end)) : json(nullptr)}};
}

}  // namespace lockstep
