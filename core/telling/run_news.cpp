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
  std::string text = news.finding ? englishOf(news.finding->cause) : news.failure;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (news.finding && !news.finding->remedy.isEmpty()) add(englishOf(news.finding->remedy));
  if (news.more > 0) add(fmt::format("and {} more", news.more));
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
  if (isOver && wasLive_) {
    head.more = static_cast<int>(held_.size());
    news.push_back(head);
  }
  wasLive_ = !isOver;
  return news;
}

void NewsOfRun::addFindings(const RunNews& head, const DiagnosisReport& report, const MutedFindings& muted,
                            std::vector<RunNews>& news) {
  std::set<std::string> goOn;
  std::vector<RunNews> begun;
  for (const RunFinding& finding : report.findings) {  // those that go on come first
    const std::string key = finding.key();
    RunNews one = head;
    one.finding = finding;
    if (finding.end) {
      one.kind = RunNews::Kind::FindingEnded;
      const bool isNew = known_.contains(key) && !held_.contains(key) && !goOn.contains(key);
      if (isNew && rule_.tellsEnds) news.push_back(std::move(one));
      continue;
    }
    const bool isWanted = finding.severity >= rule_.least && !muted.mutedUntil(head.run, key, head.time);
    if (!isWanted && !known_.contains(key)) continue;  // of one that turns worse, or is muted no more, later
    goOn.insert(key);
    one.kind = RunNews::Kind::FindingBegan;
    if (!known_.contains(key) || (isWanted && held_.contains(key))) begun.push_back(std::move(one));
  }
  known_ = std::move(goOn);
  tellOrHold(std::move(begun), news);
}

void NewsOfRun::tellOrHold(std::vector<RunNews> begun, std::vector<RunNews>& news) {
  held_.clear();
  RunNews* last = nullptr;
  news.reserve(news.size() + begun.size());
  for (RunNews& one : begun) {
    if (told_.size() < kMostAMinute) {
      told_.push_back(one.time);
      last = &news.emplace_back(std::move(one));
    } else if (last != nullptr) {
      ++last->more;
    } else {
      held_.insert(one.finding->key());
    }
  }
}

}  // namespace lockstep
