// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "durations.h"
#include "follow_view.h"
#include "interrupt.h"
#include "output.h"
#include "run_metrics.h"
#include "target.h"
#include "telling_options.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string run, level = "debug", pattern, since, lines;
  std::vector<int> ranks;
  TellingOptions telling;
  bool noFollow = false;
  bool json = false;
};

LogLevel levelNamed(const std::string& word) {
  if (word == "info") return LogLevel::Info;
  if (word == "warning") return LogLevel::Warning;
  return word == "error" ? LogLevel::Error : LogLevel::Debug;
}

FollowOptions followOptions(const Options& options, TextMatcher matcher) {
  FollowOptions following;
  following.json = options.json;
  following.stay = !options.noFollow;
  following.filter.minLevel = levelNamed(options.level);
  following.filter.text = std::move(matcher);
  for (const int rank : options.ranks) following.filter.ranks.emplace_back(Rank(rank));
  if (!options.since.empty()) following.since = parseSince(options.since, SystemClock().now());
  return following;
}

int end(const Followed& followed, const Options& options) {
  const TrainingRun& run = followed.run;
  if (followed.end == FollowEnd::Interrupted) {
    note(fmt::format("stopped watching; run {} continues", run.id.value));
    return kCancelled;
  }
  if (followed.end == FollowEnd::Looked) return followed.problem ? exitCodeOf(*followed.problem) : kDone;
  keepResults(run, followed.metrics);
  if (!options.json && !run.failure.empty()) note(run.failure);
  return exitCodeOf(stateOf(run));
}

void warnWithoutLog(const TrainingRun& run) {
  if (run.backend == kFileBackend) return;  // what it has is shown
  if (isReadOnly(run)) {
    warn("a work dir keeps no lines: only the state of this run and what its ranks publish can be followed");
  } else if (run.logGroupId.empty()) {
    warn("this run was launched without a log: only its state can be followed");
  }
}

int watch(const Options& options, const GlobalOptions& global) {
  TextMatcher matcher;
  if (!options.pattern.empty()) {
    auto compiled = regexMatcher(options.pattern, true, [](const Error& why) { warn(describe(why)); });
    if (!compiled) {
      printError(compiled.error());
      return kUsage;
    }
    matcher = *std::move(compiled);
  }
  auto access = accessRun(options.run, global, options.noFollow ? RetryMode::OneLook : RetryMode::Follow);
  if (!access) return failed(access.error());
  const TrainingRun& run = access->run;
  warnWithoutLog(run);
  if (!access->services) return failed(access->services.error());
  auto follower = access->services->follow(run);
  if (!follower) return failed(follower.error());
  if (!options.lines.empty()) (*follower)->setLines(lineChoiceFrom(options.lines).value_or(LineChoice{}));
  FollowedNews news(options.telling);
  FollowOptions following = followOptions(options, std::move(matcher));
  std::optional<DiagnosisReport> last;
  following.onLook = [&](const TrainingRun& now, const DiagnosisReport* report) {
    news.look(now, report);
    if (report != nullptr) last = *report;
  };
  const Interrupt interrupt;
  const Followed followed = followRun(**follower, run, following, interrupt.token());
  if (followed.end != FollowEnd::Interrupted) news.finish();
  if (last) keepFindings(followed.run, *last);
  return end(followed, options);
}

}  // namespace

void addWatchCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("watch", "Print the lines of all ranks, merged by time, each once");
  command->add_option("RUN", options->run, kReadableRunHelp)->required();
  command->add_option("--rank", options->ranks, "only lines of this rank (may be given several times)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--level", options->level, "only lines of this level and above")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}));
  command->add_option("--grep", options->pattern,
                      "only lines that match this regular expression (ECMAScript)");
  command->add_option("--since", options->since, "only lines since a time, or not older than 10m, 2h, 1d")
      ->check(isSince);
  addLinesOption(*command, options->lines);
  addTellingOptions(*command, options->telling);
  command->add_flag("--no-follow", options->noFollow, "print what is there now and return");
  command->add_flag("--json", options->json, "print one JSON document per line");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return watch(*options, cli.global); }; });
}

}  // namespace lockstep::cli
