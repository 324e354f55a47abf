// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/findings/finding.h"

#include <algorithm>
#include <tuple>

#include "diagnosis/findings/finding_catalogue.h"
#include "metrics/rank_list.h"

namespace lockstep {

FindingArgument metricArgument(std::string_view metric) {
  return {std::string(metric), FindingArgument::Kind::Metric};
}

std::string RunFinding::key() const {
  std::string key = infoOf(kind).code;
  // Blanks and commas would be in the way on a command line.
  if (!ranks.empty()) {
    std::string list = rankListText(ranks);
    std::erase(list, ' ');
    key += ' ' + list;
  }
  for (const std::string_view part : {metric, std::string_view(detail)})
    if (!part.empty()) (key += ' ') += part;
  return key;
}

void sortWorstFirst(std::vector<RunFinding>& findings) {
  const auto place = [](const RunFinding& one) {
    return std::tuple(one.end.has_value(), -static_cast<int>(one.severity), -one.confidence, one.since);
  };
  std::ranges::stable_sort(findings, {}, place);
}

}  // namespace lockstep
