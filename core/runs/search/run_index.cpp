// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/search/run_index.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

using Field = RunQuery::Field;
using Comparison = RunQuery::Comparison;

std::string searchedText(const RunSummary& run) {
  std::string text = run.name + '\n' + run.id.value + '\n' + run.marks.group + '\n' + run.marks.note;
  for (const std::string& tag : run.marks.tags) text += '\n' + tag;
  return folded(text);
}

bool contains(const std::string& text, const std::string& part) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [&](char a, char b) { return lower(a) == b; }) != text.end();
}

double secondsOf(TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

/// Absent: the run has no such quantity.
std::optional<double> numberOf(const RunSummary& run, const std::string& name, TimePoint now) {
  if (const RunResult* result = resultNamed(run.results, name)) return result->last;
  constexpr std::string_view kBest = "best.";
  if (name.starts_with(kBest)) {
    const RunResult* result = resultNamed(run.results, std::string_view(name).substr(kBest.size()));
    return result == nullptr ? std::nullopt : result->best;
  }
  if (name == "nodes") return run.nodes;
  if (name == "elapsed") return std::chrono::duration<double>(elapsedOf(run, now)).count();
  if (name == "created") return secondsOf(run.created);
  if (name == "finished") return run.finished ? std::optional(secondsOf(*run.finished)) : std::nullopt;
  if (name == "cost") return costUntil(run, now);
  if (name == "findings") return run.findings ? std::optional<double>(run.findings->count) : std::nullopt;
  return std::nullopt;
}

bool compares(double value, Comparison comparison, double other) {
  switch (comparison) {
    case Comparison::Less:
      return value < other;
    case Comparison::AtMost:
      return value <= other;
    case Comparison::More:
      return value > other;
    case Comparison::AtLeast:
      return value >= other;
    case Comparison::Equal:
      return value == other;
    case Comparison::Unequal:
      return value != other && !std::isnan(value);
  }
  return false;
}

bool isOne(const RunSummary& run, const std::string& word) {
  if (word == "pinned") return run.marks.isPinned;
  if (word == "archived") return run.marks.isArchived;
  if (word == "live") return !isTerminal(run.state);
  return run.isDirty;
}

bool holds(const RunSummary& run, const std::string& text, const RunQuery::Term& term, TimePoint now) {
  switch (term.field) {
    case Field::Any:
      return text.find(term.text) != std::string::npos;
    case Field::Name:
      return contains(run.name, term.text);
    case Field::Id:
      return contains(run.id.value, term.text) || contains(run.jobId.value, term.text);
    case Field::Tag:
      return std::any_of(run.marks.tags.begin(), run.marks.tags.end(),
                         [&](const std::string& tag) { return folded(tag) == term.text; });
    case Field::Group:
      return contains(run.marks.group, term.text);
    case Field::Note:
      return contains(run.marks.note, term.text);
    case Field::Profile:
      return contains(run.profile, term.text);
    case Field::Image:
      return contains(run.image, term.text);
    case Field::Commit:
      return !run.commit.empty() && run.commit.starts_with(term.text);
    case Field::Failure:
      return contains(run.failure, term.text);
    case Field::Backend:
      return contains(run.backend, term.text);
    case Field::State:
      return folded(toString(run.state)).starts_with(term.text);
    case Field::Is:
      return isOne(run, term.text);
    case Field::Number: {
      const auto value = numberOf(run, term.text, now);
      return value && compares(*value, term.comparison, term.number);
    }
  }
  return false;
}

bool areAllHeld(const RunSummary& run, const std::string& text, const RunQuery& query, TimePoint now) {
  return std::all_of(query.terms.begin(), query.terms.end(), [&](const RunQuery::Term& term) {
    return holds(run, text, term, now) != term.isNegated;
  });
}

}  // namespace

std::optional<double> costUntil(const RunSummary& run, TimePoint now) {
  if (!run.perHour || run.nodes <= 0) return std::nullopt;
  const double hours = std::chrono::duration<double, std::ratio<3600>>(run.nodeTime.until(now)).count();
  return *run.perHour / run.nodes * hours;
}

bool isWanted(const RunSummary& run, const RunQuery& query, TimePoint now) {
  return areAllHeld(run, searchedText(run), query, now);
}

RunIndex::RunIndex(std::vector<RunSummary> runs) : runs_(std::move(runs)) {
  texts_.reserve(runs_.size());
  for (const RunSummary& run : runs_) texts_.push_back(searchedText(run));
}

void RunIndex::replace(std::size_t place, RunSummary run) {
  texts_[place] = searchedText(run);
  runs_[place] = std::move(run);
}

void RunIndex::addFirst(RunSummary run) {
  texts_.insert(texts_.begin(), searchedText(run));
  runs_.insert(runs_.begin(), std::move(run));
}

std::vector<std::uint32_t> RunIndex::search(const RunQuery& query, TimePoint now, bool withArchived) const {
  std::vector<std::uint32_t> found;
  const bool isArchiveOpen = withArchived || query.namesArchived();
  for (std::size_t i = 0; i < runs_.size(); ++i)
    if ((isArchiveOpen || !runs_[i].marks.isArchived) && areAllHeld(runs_[i], texts_[i], query, now))
      found.push_back(static_cast<std::uint32_t>(i));
  return found;
}

bool RunIndex::isWantedAt(std::size_t place, const RunQuery& query, TimePoint now, bool withArchived) const {
  if (runs_[place].marks.isArchived && !withArchived && !query.namesArchived()) return false;
  return areAllHeld(runs_[place], texts_[place], query, now);
}

}  // namespace lockstep
