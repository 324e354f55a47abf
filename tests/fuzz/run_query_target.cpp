// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <nlohmann/json.hpp>

#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "history/sweep.h"
#include "runs/search/run_index.h"

namespace lockstep {
namespace {

const TimePoint kNow(std::chrono::seconds(1'800'000'000));

std::string tryPlace(const Error& error, std::size_t length) {
  constexpr std::string_view kCharacter = "character ";
  if (!error.where.starts_with(kCharacter)) return "refused without a place";
  std::size_t place = 0;
  const std::string digits = error.where.substr(kCharacter.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), place);
  return place >= 1 && place <= length + 1 ? "" : "refused at a place that is not there";
}

std::string tryQuery(std::string_view text, const RunSummary& run) {
  const auto query = parseRunQuery(text, kNow);
  if (!query) return tryPlace(query.error(), text.size());
  if (query->terms.size() > kMaxQueryTerms) return "more terms than there may be";
  const bool isFound = isWanted(run, *query, kNow);
  if ((RunIndex({run}).search(*query, kNow, true).size() == 1) != isFound)
    return "an index finds another run than a look at it";
  RunQuery one;
  for (const RunQuery::Term& term : query->terms) {
    one.terms = {term};
    const bool holds = isWanted(run, one, kNow);
    one.terms.front().isNegated = !term.isNegated;
    if (isWanted(run, one, kNow) == holds) return "a term and its opposite hold";
    if (isFound && !holds) return "a run is found although a term does not hold";
  }
  return {};
}

std::string trySweep(std::string_view argument, std::string_view stored) {
  const auto axis = parseSweepAxis(argument);
  if (axis && (axis->name.empty() || axis->values.empty())) return "an argument without name or values";
  const auto sweep = sweepFrom(nlohmann::json::parse(stored, nullptr, false));
  if (!sweep) return {};
  if (sweep->points() < 1 || sweep->points() > kMaxSweepPoints) return "a sweep beyond its bounds";
  const auto last = sweep->changesAt(sweep->points() - 1);
  for (std::size_t i = 0; i < last.size(); ++i)
    if (last[i].value != sweep->axes[i].values.back()) return "the last point has not the last values";
  const auto again = sweepFrom(toJson(*sweep));
  return again && *again == *sweep ? "" : "a sweep is another one once it is written";
}

}  // namespace

std::string tryRunQuery(std::string_view input) {
  Parts parts(input);
  const std::string_view text = parts.text();
  RunSummary run;
  run.name = parts.text();
  run.id = RunId(run.name + "-1");
  run.marks.tags = {std::string(parts.text())};
  run.results = {{"a", static_cast<double>(run.name.size()), 1, {}, 0, {}, {}}};
  if (std::string problem = tryQuery(text, run); !problem.empty()) return problem;
  const std::string_view argument = parts.text();
  return trySweep(argument, parts.text());
}

}  // namespace lockstep
