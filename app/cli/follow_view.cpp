// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow_view.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/terminal_text.h"
#include "base/time_text.h"
#include "diagnosis/findings/finding_catalogue.h"
#include "diagnosis/findings/finding_words.h"
#include "diagnosis_view.h"
#include "health_view.h"
#include "metrics/run_progress.h"
#include "progress_bar.h"
#include "run_metrics.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

const char* toString(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return "debug";
    case LogLevel::Info:
      return "info";
    case LogLevel::Warning:
      return "warning";
    case LogLevel::Error:
      return "error";
  }
  return "info";
}

Tone toneOf(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return Tone::Dim;
    case LogLevel::Info:
      return Tone::Plain;
    case LogLevel::Warning:
      return Tone::Warn;
    case LogLevel::Error:
      return Tone::Bad;
  }
  return Tone::Plain;
}

std::string progressText(const TrainingRun& run, const MetricStore& metrics, TimePoint now) {
  const StepProgress progress = stepProgress(metrics);
  std::string text = fmt::format("{} {}", lockstep::toString(stateOf(run)),
                                 elapsedText(run.finished.value_or(now) - run.created));
  if (progress.step == 0) return text;
  text +=
      fmt::format("  step {}{}", progress.step, progress.total ? fmt::format("/{}", *progress.total) : "");
  const auto rows = rankRows(run, metrics);
  if (const auto loss = meanLoss(rows)) text += fmt::format("  loss {:.4f}", *loss);
  if (const auto rate = totalRate(rows)) text += fmt::format("  {:.0f} samples/s", *rate);
  return text;
}

/// One following: what was said already, so that it is not said again.
class View {
 public:
  View(const FollowOptions& options, TrainingRun run)
      : options_(options), bar_(options.progress && !options.json) {
    followed_.run = std::move(run);
  }
  void take(const RunUpdate& update);
  Followed finish(FollowEnd end) {
    bar_.clear();
    followed_.end = end;
    return std::move(followed_);
  }

 private:
  void printLines(const std::vector<LogLine>& lines);
  void printState();
  void printFindings(const RunUpdate& update);
  void printDiagnosis(const RunUpdate& update);
  void printProblems(const std::vector<Error>& problems);
  void printUnmonitored(const std::optional<Error>& why);
  void showProgress(const RunUpdate& update);
  [[nodiscard]] bool wanted(const LogLine& line) const;

  const FollowOptions& options_;
  ProgressBar bar_;
  Followed followed_;
  std::shared_ptr<const RunHealth> health_;
  FindingNews findings_;
  FindingsWatch watch_;
  MutedFindings muted_ = mutedFindings();
  std::string lastState_;
  std::string lastProblem_, lastUnmonitored_;
  bool isCaughtUp_ = false;  // all of the past is here
};

bool View::wanted(const LogLine& line) const {
  if (options_.since && line.time < *options_.since) return false;
  return options_.filter.accepts({line.time, line.text, line.node, line.rank, line.level});
}

void View::printLines(const std::vector<LogLine>& lines) {
  for (const LogLine& line : lines) {
    if (!wanted(line)) continue;
    bar_.clear();
    if (options_.json) {
      printJsonLine(toJson(line));
    } else {
      printLine(painted(lineText(line), toneOf(line.level)));
    }
  }
}

void View::printState() {
  const std::string state = lockstep::toString(stateOf(followed_.run));
  if (state == lastState_) return;
  lastState_ = state;
  if (options_.json) {
    printJsonLine({{"type", "state"},
                   {"run", followed_.run.id.value},
                   {"state", state},
                   {"failure", followed_.run.failure}});
  } else if (options_.stay) {
    bar_.clear();
    note(fmt::format("run {} is {}", followed_.run.id.value, state));
  }
}

// Each trouble once, until it is over or another one comes.
void View::printProblems(const std::vector<Error>& problems) {
  std::string text;
  for (const Error& problem : problems) {
    if (problem.code != ErrorCode::Cancelled) text += (text.empty() ? "" : "\n") + describe(problem);
  }
  if (text == lastProblem_) return;
  bar_.clear();
  if (!text.empty()) warn(text + "\n(trying again)");
  if (text.empty()) note("the service answers again");
  lastProblem_ = text;
}

// Nothing else lacks for it.
void View::printUnmonitored(const std::optional<Error>& why) {
  const std::string text = why && why->code != ErrorCode::Cancelled ? describe(*why) : std::string();
  if (text == lastUnmonitored_) return;
  lastUnmonitored_ = text;
  if (text.empty()) return;
  bar_.clear();
  warn(text);
}

// Each when it begins and when it is over. Silence alone is one, so every look counts.
void View::printFindings(const RunUpdate& update) {
  if (update.health) health_ = update.health;
  if (!health_) return;
  const auto news = findings_.take(*health_, stageOf(update.run), SystemClock().steady());
  if (!news.begun.empty() || !news.over.empty()) bar_.clear();
  const auto print = [&](const HealthFinding& finding, bool isOver) {
    if (!options_.json) return isOver ? note("over: " + finding.what) : warn(oneLineOf(finding));
    json line = toJson(finding);
    line["type"] = "finding";
    line["run"] = followed_.run.id.value;
    line["over"] = isOver;
    printJsonLine(line);
  };
  for (const HealthFinding& finding : news.begun) print(finding, false);
  for (const HealthFinding& finding : news.over) print(finding, true);
}

// Likewise. A past that is still coming says nothing of now.
void View::printDiagnosis(const RunUpdate& update) {
  watch_.addLines(update.lines);
  if (update.isBehind() || update.isWaiting) return;
  const auto news = watch_.look(update.run, followed_.metrics, health_);
  if (options_.onLook) options_.onLook(followed_.run, news.report.get());
  const auto print = [&](const RunFinding& finding) {
    if (options_.json) {
      json line = lockstep::toJson(finding);
      line["type"] = "finding";
      line["code"] = infoOf(finding.kind).code;
      line["run"] = followed_.run.id.value;
      line["over"] = finding.end.has_value();
      return printJsonLine(line);
    }
    const bool isMuted = muted_.mutedUntil(followed_.run.id, finding.key(), SystemClock().now()).has_value();
    if (isMuted || !saysMore(finding, followed_.run.failure)) return;
    bar_.clear();
    finding.end ? note("over: " + englishOf(finding.what)) : warn(oneLineOf(finding));
  };
  for (const RunFinding& finding : news.begun) print(finding);
  for (const RunFinding& finding : news.over) print(finding);
}

void View::take(const RunUpdate& update) {
  followed_.run = update.run;
  followed_.metrics.add(update.metrics);
  followed_.problem = update.problems.empty() ? std::nullopt : std::optional(update.problems.front());
  printProblems(update.problems);
  printUnmonitored(update.unmonitored);
  printLines(update.lines);
  printState();
  printFindings(update);
  printDiagnosis(update);
  showProgress(update);
}

// While the past is still coming, how far the run is, is not known yet; and of one that is over the table at the end says it.
void View::showProgress(const RunUpdate& update) {
  if (!update.isBehind() && !update.isWaiting && update.problems.empty()) isCaughtUp_ = true;
  if (!isCaughtUp_ && update.segmentsKnown > 0)
    return bar_.show(loadedShare(update.segmentsRead, update.segmentsKnown),
                     loadingText(update.segmentsRead, update.segmentsKnown));
  if (isTerminal(stateOf(followed_.run))) return bar_.clear();
  bar_.show(stepProgress(followed_.metrics).fraction(),
            progressText(followed_.run, followed_.metrics, SystemClock().now()));
}

}  // namespace

std::string lineText(const LogLine& line) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(line.time.time_since_epoch());
  const auto second = std::chrono::floor<std::chrono::seconds>(milliseconds);
  const std::time_t time = second.count();
  const std::string rank = line.rank ? fmt::format(" [{}]", line.rank->value) : "";
  return fmt::format("{:%H:%M:%S}.{:03} {}{} {}", fmt::gmtime(time), (milliseconds - second).count(),
                     onOneLine(line.node), rank, onOneLine(line.text, TerminalColors::Keep));
}

json toJson(const LogLine& line) {
  return {{"type", "log"},
          {"id", line.id},
          {"time", toRfc3339(line.time)},
          {"jobRun", line.jobRun.value},
          {"node", line.node},
          {"rank", line.rank ? json(line.rank->value) : json(nullptr)},
          {"level", toString(line.level)},
          {"text", line.text}};
}

/// Until it is time for the next whole look; lines are shown as soon as they come. False: interrupted.
bool waitForNextLook(RunFollower& follower, RunUpdate update, View& view, const std::stop_token& stop) {
  SystemClock clock;
  const auto until = std::chrono::steady_clock::now() + kFollowInterval;
  while (update.nextLines && std::chrono::steady_clock::now() + *update.nextLines < until) {
    if (!clock.sleepFor(*update.nextLines, stop)) return false;
    update = follower.pollLines(stop);
    view.take(update);
  }
  const auto left = until - std::chrono::steady_clock::now();
  return clock.sleepFor(std::max<std::chrono::nanoseconds>(left, {}), stop);
}

Followed followRun(RunFollower& follower, const TrainingRun& run, const FollowOptions& options,
                   const std::stop_token& stop) {
  View view(options, run);
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const RunUpdate update = follower.poll(stop);
    view.take(update);
    if (update.ended) return view.finish(FollowEnd::Ended);
    if (stop.stop_requested()) return view.finish(FollowEnd::Interrupted);
    if (!options.stay && !update.isWaiting && !update.isBehind()) return view.finish(FollowEnd::Looked);
    if (options.limit && std::chrono::steady_clock::now() - begin > *options.limit)
      return view.finish(FollowEnd::TimedOut);
    if (options.stay && !update.isBehind() && !waitForNextLook(follower, update, view, stop))
      return view.finish(FollowEnd::Interrupted);
  }
}

int exitCodeOf(RunState state) {
  if (state == RunState::Failed) return kNotWell;
  return state == RunState::Canceled ? kCancelled : kDone;
}

Tone toneOf(RunState state) {
  switch (state) {
    case RunState::Succeeded:
      return Tone::Good;
    case RunState::Failed:
      return Tone::Bad;
    case RunState::Canceled:
    case RunState::Silent:
    case RunState::Stopping:
      return Tone::Warn;
    default:
      return Tone::Plain;
  }
}

int printSummary(const TrainingRun& run, const MetricStore& metrics, bool asJson) {
  const RunState state = stateOf(run);
  const auto rows = rankRows(run, metrics);
  if (asJson) {
    json ranks = json::array();
    for (const RankRow& row : rows) ranks.push_back(toJson(row));
    printJsonLine({{"type", "summary"}, {"run", lockstep::toJson(run)}, {"ranks", std::move(ranks)}});
    return exitCodeOf(state);
  }
  printText(rankTable(rows));
  const TimePoint end = run.finished.value_or(SystemClock().now());
  printLine(fmt::format("{} {} after {}", run.id.value, painted(lockstep::toString(state), toneOf(state)),
                        elapsedText(end - run.created)));
  if (!run.failure.empty()) printLine(painted(run.failure, Tone::Bad));
  return exitCodeOf(state);
}

}  // namespace lockstep::cli
