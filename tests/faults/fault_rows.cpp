// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/fault_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

namespace lockstep::testing {
namespace {

using nlohmann::json;

json twice(json fault) {
  fault["times"] = 2;
  return fault;
}

std::vector<FaultRow> passingRows() {
  std::vector<FaultRow> rows{{"latency 0.3 s", twice({{"kind", "latency"}, {"delay", 0.3}})},
                             {"429", twice({{"kind", "throttle"}})},
                             {"429, retry-after", twice({{"kind", "throttle"}, {"retryAfter", 0.2}})}};
  for (const int status : {500, 502, 503, 504})
    rows.push_back({std::to_string(status), twice({{"kind", "error"}, {"status", status}})});
  rows.insert(rows.end(), {{"reset", twice({{"kind", "reset"}})},
                           {"reset in the body", twice({{"kind", "reset"}, {"bytes", 10}})},
                           {"lost answer", twice({{"kind", "lost-answer"}})},
                           {"slow body", twice({{"kind", "slow-body"}, {"bytesPerSecond", 4000}})},
                           {"wrong length", twice({{"kind", "wrong-length"}, {"bytes", 20}})}});
  return rows;
}

std::vector<FaultRow> lastingRows() {
  std::vector<FaultRow> rows;
  for (const FaultRow& lasting : std::vector<FaultRow>{{"429 for ever", {{"kind", "throttle"}}},
                                                       {"500 for ever", {{"kind", "error"}}},
                                                       {"503 for ever", {{"kind", "error"}, {"status", 503}}},
                                                       {"reset for ever", {{"kind", "reset"}}},
                                                       {"lost answers for ever", {{"kind", "lost-answer"}}}})
    rows.push_back({lasting.name, lasting.fault, true, false, {}});
  return rows;
}

// A token that ends in the middle of a story. Whose credentials renew themselves does not notice; a session
// is the user's to begin anew.
std::vector<FaultRow> tokenRows() {
  const json once{{"kind", "expired-token"}, {"times", 1}};
  const json slowly{{"kind", "latency"}, {"operation", "RefreshSessionToken"}, {"delay", 0.3}};
  const json never{{"kind", "error"}, {"operation", "RefreshSessionToken"}};
  return {{"session ended", once, true, false, "oci session authenticate", SignedInAs::Session},
          {"instance's token ended", once, false, false, {}, SignedInAs::Instance},
          {"job run's token ended", once, false, false, {}, SignedInAs::JobRun},
          {"session renewed slowly", slowly, false, true, {}, SignedInAs::ShortSession},
          {"session not renewed", never, false, true, {}, SignedInAs::ShortSession}};
}

std::vector<FaultRow> wholeRows() {
  std::vector<FaultRow> rows;
  for (const FaultRow& whole :
       std::vector<FaultRow>{{"clock 10 min ahead", {{"kind", "clock-skew"}, {"delay", 600}}},
                             {"clock 10 min behind", {{"kind", "clock-skew"}, {"delay", -600}}},
                             {"late logs", {{"kind", "late-logs"}, {"delay", 2}}},
                             {"reordered logs", {{"kind", "reordered-logs"}, {"delay", 2}}},
                             {"eventual listing", {{"kind", "eventual-listing"}, {"delay", 1.5}}},
                             {"disk full", {{"kind", "disk-full"}}, false, true, "InternalServerError"},
                             {"quota", {{"kind", "quota"}}, false, true, "QuotaExceeded"},
                             {"out of capacity", {{"kind", "out-of-capacity"}}, false, true, "capacity"},
                             {"node killed", {{"kind", "node-killed"}, {"delay", 0.5}}, false, true, "fail"},
                             {"node frozen", {{"kind", "node-frozen"}, {"delay", 0.5}}}})
    rows.push_back({whole.name, whole.fault, false, true, whole.mustTell});
  return rows;
}

std::vector<FaultRow> makeRows() {
  std::vector<FaultRow> all;
  for (const auto& rows : {passingRows(), lastingRows(), tokenRows(), wholeRows()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

// Faults that are there rather than happen count no strikes.
bool isState(const FaultRow& row) {
  const std::string kind = row.fault["kind"];
  return kind == "clock-skew" || kind == "late-logs" || kind == "reordered-logs" ||
         kind == "eventual-listing";
}

// What keeps a story from being played, a region that does not start perhaps, is in its cell.
StoryOutcome playCell(std::optional<FaultRegion>& region, std::size_t number, const FaultCell& cell) {
  const FaultRow& row = faultRows()[cell.row];
  try {
    if (!region) region.emplace(kStoryScript);
    StoryOutcome outcome =
        playStory(*region, fmt::format("story-{}", number),
                  {row.fault, cell.step, row.lasting, row.wholeStory, row.mustTell, row.who});
    if (!isState(row) && outcome.strikes == 0) outcome.wrong.emplace_back("the fault never struck");
    return outcome;
  } catch (const std::exception& e) {
    StoryOutcome outcome;
    outcome.wrong.push_back(fmt::format("it could not be played: {}", e.what()));
    return outcome;
  }
}

std::string titleOf(const FaultCell& cell) {
  const FaultRow& row = faultRows()[cell.row];
  return fmt::format("{} / {}", row.name, row.wholeStory ? "whole story" : storySteps()[cell.step].name);
}

std::string slowestOf(std::vector<FaultCell> cells) {
  constexpr std::size_t kShown = 8;
  std::sort(cells.begin(), cells.end(),
            [](const FaultCell& a, const FaultCell& b) { return a.outcome.seconds > b.outcome.seconds; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, cells.size()); ++i)
    text += fmt::format("{:6.1f} s  {}\n", cells[i].outcome.seconds, titleOf(cells[i]));
  return text;
}

}  // namespace

const std::vector<FaultRow>& faultRows() {
  static const std::vector<FaultRow> rows = makeRows();
  return rows;
}

std::vector<FaultCell> allCells() {
  std::vector<FaultCell> cells;
  for (std::size_t row = 0; row < faultRows().size(); ++row)
    for (std::size_t step = 0; step < (faultRows()[row].wholeStory ? 1 : storySteps().size()); ++step)
      cells.push_back({row, step, {}});
  return cells;
}

std::vector<FaultCell> playCells(std::vector<FaultCell> cells, int workers) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    std::optional<FaultRegion> region;
    for (std::size_t i = 0; (i = next++) < cells.size();) cells[i].outcome = playCell(region, i, cells[i]);
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < workers; ++i) threads.emplace_back(work);
  threads.clear();
  return cells;
}

std::string tableOf(const std::vector<FaultCell>& cells) {
  std::string text = fmt::format("{:<24}", "");
  for (const StoryStep& step : storySteps()) text += fmt::format("{:<14}", step.name);
  std::string notes;
  std::size_t failed = 0;
  for (std::size_t row = 0; row < faultRows().size(); ++row) {
    std::map<std::size_t, std::string> line;
    for (const FaultCell& cell : cells) {
      if (cell.row != row) continue;
      const bool whole = faultRows()[row].wholeStory;
      const char* const outcome = cell.outcome.wrong.empty() ? "ok" : "FAILED";
      failed += cell.outcome.wrong.empty() ? 0 : 1;
      for (std::size_t step = 0; step < storySteps().size(); ++step)
        if (whole || step == cell.step) line[step] = outcome;
      for (const auto& [step, message] : cell.outcome.messages)
        notes += fmt::format("{} / {}\n    {}\n", faultRows()[row].name, storySteps()[step].name, message);
      for (const std::string& wrong : cell.outcome.wrong)
        notes += fmt::format("FAILED {}: {}\n", titleOf(cell), wrong);
    }
    if (line.empty()) continue;
    text += fmt::format("\n{:<24}", faultRows()[row].name);
    for (std::size_t step = 0; step < storySteps().size(); ++step) text += fmt::format("{:<14}", line[step]);
  }
  return fmt::format(
      "{}\n\n{} stories, {} FAILED\n\nWhat the user saw, and what was wrong:\n{}\nThe slowest stories:\n{}",
      text, cells.size(), failed, notes, slowestOf(cells));
}

}  // namespace lockstep::testing
