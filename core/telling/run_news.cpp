// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/run_news.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "diagnosis/findings/finding_words.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr std::chrono::minutes kMinute{1};

const char* wordOf(RunNews::Kind kind) {
  switch (kind) {
    case RunNews::Kind::FindingBegan:
      return "finding-began";
    case RunNews::Kind::FindingEnded:
      return "finding-ended";
    case RunNews::Kind::RunEnded:
      break;
  }
  return "run-ended";
}

}  // namespace

std::string titleOf(const RunNews& news) {
  const std::string name = news.name.empty() ? news.run.value : news.name;
  if (!news.finding) return fmt::format("{}: {}", name, toString(news.state));
  std::string title = fmt::format("{}: {}", name, englishOf(news.finding->what));
  if (news.kind == RunNews::Kind::FindingEnded) title += " (over)";
  return title;
}

std::string textOf(const RunNews& news) {
  if (!news.finding) return news.failure;
  std::string text = englishOf(news.finding->cause);
  if (const std::string remedy = englishOf(news.finding->remedy); !remedy.empty())
    text += (text.empty() ? "" : "; ") + remedy;
  if (news.more > 0) text += fmt::format("{}and {} more", text.empty() ? "" : "; ", news.more);
  return text;
}

std::string documentOf(const RunNews& news) {
  const json document{{"event", wordOf(news.kind)},
                      {"time", toRfc3339(news.time)},
                      {"run", {{"id", news.run.value}, {"name", news.name}, {"state", toString(news.state)}}},
                      {"failure", news.failure},
                      {"title", titleOf(news)},
                      {"text", textOf(news)},
                      {"finding", news.finding ? toJson(*news.finding) : json(nullptr)},
                      {"more", news.more}};
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<RunNews> NewsOfRun::take(const TrainingRun& run, const DiagnosisReport* report,
                                     const MutedFindings& muted, TimePoint now) {
  std::vector<RunNews> news;
  RunNews head;
  head.run = run.id;
  head.name = run.name;
  head.state = stateOf(run);
  head.failure = run.failure;
  head.time = now;
  const bool isOver = isTerminal(head.state);
  while (!told_.empty() && told_.front() + kMinute <= now) told_.pop_front();
  // What was found in a run that had ended before anybody looked is no news.
  if (report != nullptr && (wasLive_ || !isOver)) addFindings(head, *report, muted, news);
  if (isOver && wasLive_) news.push_back(head);
  wasLive_ = !isOver;
  return news;
}

void NewsOfRun::addFindings(const RunNews& head, const DiagnosisReport& report, const MutedFindings& muted,
                            std::vector<RunNews>& news) {
  std::set<std::string> goOn;
  for (const RunFinding& finding : report.findings) {
    const std::string key = finding.key();
    RunNews one = head;
    one.finding = finding;
    if (finding.end) {
      one.kind = RunNews::Kind::FindingEnded;
      if (known_.contains(key) && rule_.tellsEnds) news.push_back(std::move(one));
      continue;
    }
    const bool isWanted = finding.severity >= rule_.least && !muted.mutedUntil(head.run, key, head.time);
    if (!isWanted && !known_.contains(key)) continue;  // of one that turns worse, or is muted no more, later
    goOn.insert(key);
    one.kind = RunNews::Kind::FindingBegan;
    if (!known_.contains(key)) tellOrCount(std::move(one), news);
  }
  known_ = std::move(goOn);
}

void NewsOfRun::tellOrCount(RunNews one, std::vector<RunNews>& news) {
  if (told_.size() < kMostAMinute) {
    told_.push_back(one.time);
    return news.push_back(std::move(one));
  }
  if (news.empty()) return;  // those of the same minute have been told; the page shows all
  ++news.back().more;
}

}  // namespace lockstep
