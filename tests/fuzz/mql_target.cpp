// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "rehearsal/monitoring/mql.h"

namespace lockstep {
namespace {

using namespace rehearsal;

constexpr long long kDay = 24LL * 60 * 60 * 1000;

std::string checkQuery(const MqlQuery& query) {
  if (query.metric.empty() || query.steps.empty()) return "a query without metric or statistic";
  if (query.intervalMillis <= 0 || query.intervalMillis > kDay) return "an interval that no window has";
  for (const MqlStep& step : query.steps)
    if (!(step.percentile >= 0 && step.percentile <= 1) || step.absentMillis < 0)
      return "a statistic out of bounds";
  for (const DimensionFilter& filter : query.filters)
    if (filter.dimension.empty()) return "a filter for no dimension";
  return {};
}

}  // namespace

std::string tryMql(std::string_view input) {
  Parts parts(input);
  const auto query = parseMql(parts.text());
  const std::string value(parts.text());
  if (!query) return query.error().empty() ? "refused without a word" : "";
  if (std::string wrong = checkQuery(*query); !wrong.empty()) return wrong;
  for (const DimensionFilter& filter : query->filters) {
    DimensionFilter other = filter;
    other.isNegated = !filter.isNegated;
    if (filter.accepts(value) == other.accepts(value)) return "a filter and its opposite agree";
  }
  if (query->predicate) (void)query->predicate->accepts(0.5);
  return {};
}

}  // namespace lockstep
