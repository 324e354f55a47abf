// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/time_text.h"
#include "cli.h"
#include "diagnosis/findings/finding_catalogue.h"
#include "diagnosis/muted_findings.h"
#include "durations.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string run;
  std::vector<std::string> finding;
  std::string lasting = "8h";
  bool isOff = false;
};

std::string keyIn(const Options& options) {
  std::string key;
  for (const std::string& part : options.finding) key += (key.empty() ? "" : " ") + part;
  return key;
}

int mute(const Options& options, const GlobalOptions& global) {
  const std::string key = keyIn(options);
  if (const std::string kind = key.substr(0, key.find(' ')); !findingKindNamed(kind)) {
    printError({ErrorCode::InvalidArgument,
                fmt::format("'{}' is no kind of finding", kind),
                {},
                "take a `key` of `lockstep status RUN --json`, such as 'straggler 5 forward_ms'",
                {},
                {}});
    return kUsage;
  }
  const auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  const TimePoint now = SystemClock().now();
  const auto lasting = parseDuration(options.lasting);
  const auto until =
      options.isOff ? std::nullopt : std::optional(now + lasting.value_or(std::chrono::hours(8)));
  const auto done = muteFinding(mutedFindingsFile(), access->run.id, key, until, now);
  if (!done) return failed(done.error());
  printLine(
      until ? fmt::format("'{}' of run {} is muted until {}", key, access->run.id.value, toRfc3339(*until))
            : fmt::format("'{}' of run {} is told again", key, access->run.id.value));
  return kDone;
}

}  // namespace

void addMuteCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("mute", "Do not tell of a finding of a run for a while");
  command->add_option("RUN", options->run, kReadableRunHelp)->required();
  command->add_option("FINDING", options->finding, "its key in `lockstep status RUN --json`")->required();
  command->add_option("--for", options->lasting, "for how long: 30m, 2h, 1d")
      ->check(isDuration)
      ->capture_default_str();
  command->add_flag("--off", options->isOff, "tell of it again");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return mute(*options, cli.global); }; });
}

}  // namespace lockstep::cli
