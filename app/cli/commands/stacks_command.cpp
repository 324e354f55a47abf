// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/bounds.h"
#include "cli.h"
#include "durations.h"
#include "health/stack_reader.h"
#include "interrupt.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using Steady = std::chrono::steady_clock;
constexpr std::chrono::seconds kPause{1};

struct Options {
  std::string run, wait = "90s";
  std::vector<int> ranks;
  bool json = false;
};

Error hasEnded(const TrainingRun& run) {
  return {ErrorCode::FailedPrecondition,
          fmt::format("run '{}' has ended", run.id.value),
          "only processes that are there have stacks",
          fmt::format("what its ranks printed last: lockstep watch {} --no-follow", run.id.value),
          {},
          {}};
}

Error nobodyAnswers(const Options& options) {
  return {ErrorCode::DeadlineExceeded,
          "no node of the run has told its stacks",
          fmt::format("none answered within {}: its nodes may be gone, may not reach the work dir, run "
                      "another agent than "
                      "lockstep-node or an older one, or were told not to answer (LOCKSTEP_STACKS=0)",
                      options.wait),
          "look at the nodes with lockstep status, or wait for longer with --wait",
          {},
          {}};
}

void print(const StackReport& report, bool json) {
  if (json) return printJsonLine(lockstep::toJson(report));
  printText(
      painted(fmt::format("rank {} on {} ({})", report.rank.value, report.node, report.host), Tone::Strong) +
      "\n");
  for (const ProcessStack& process : report.processes) {
    printText(fmt::format("process {}: {}\n  {}\n", process.pid, process.command, process.state));
    if (process.problem.empty())
      printText(process.stack.ends_with('\n') ? process.stack : process.stack + "\n");
    else
      printText(fmt::format("  no stack: {}\n", process.problem));
  }
}

/// Prints what comes until all of `wanted` have come (0: nobody knows how many), or the time is over; how many came.
Result<std::size_t> printAnswers(StackReader& reader, const Options& options, std::size_t wanted,
                                 const std::stop_token& stop) {
  const auto limit = Steady::now() + parseDuration(options.wait).value_or(std::chrono::seconds(90));
  std::size_t came = 0;
  while (!stop.stop_requested()) {
    const auto reports = reader.read(stop);
    if (!reports) return failure(reports.error());
    for (const StackReport& report : *reports) print(report, options.json);
    came += reports->size();
    if ((wanted > 0 && came >= wanted) || Steady::now() >= limit) break;
    std::this_thread::sleep_for(kPause);
  }
  return came;
}

int stacks(const Options& options, const GlobalOptions& global) {
  auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  if (!access->services) return failed(access->services.error());
  if (isTerminal(stateOf(access->run))) return failed(hasEnded(access->run));
  auto store = access->services->workDir(access->run.workDir);
  if (!store) return failed(store.error());
  StackReader reader(*std::move(store), access->run.jobId.value);
  const Interrupt interrupt;
  const auto count = reader.rankCount(interrupt.token());
  if (!count) return failed(count.error());
  std::vector<Rank> ranks;
  for (const int rank : options.ranks) ranks.emplace_back(rank);
  const std::size_t wanted = ranks.empty() ? static_cast<std::size_t>(count->value_or(0)) : ranks.size();
  if (auto asked = reader.ask(std::move(ranks), interrupt.token()); !asked) return failed(asked.error());
  note(fmt::format("asked; nodes look every {} seconds", kStackInterval.count()));
  const auto came = printAnswers(reader, options, wanted, interrupt.token());
  if (!came) return failed(came.error());
  if (interrupt.happened()) return kCancelled;
  if (*came == 0) return failed(nobodyAnswers(options));
  if (*came < wanted) warn(fmt::format("{} of {} ranks have not answered", wanted - *came, wanted));
  return kDone;
}

}  // namespace

void addStacksCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "stacks",
      "Ask the nodes of a run where in their code its ranks are, with py-spy or gdb if the image has them");
  command->add_option("RUN", options->run, kReadableRunHelp)->required();
  command->add_option("--rank", options->ranks, "only this rank (may be given several times)")
      ->check(CLI::Range(0, kMaxRanks - 1));
  command->add_option("--wait", options->wait, "for so long at most")
      ->check(isDuration)
      ->capture_default_str();
  command->add_flag("--json", options->json, "print one JSON document per rank");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return stacks(*options, cli.global); }; });
}

}  // namespace lockstep::cli
