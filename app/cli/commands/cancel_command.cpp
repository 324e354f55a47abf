// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "follow_view.h"
#include "interrupt.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string run;
  bool json = false;
};

int report(const TrainingRun& run, bool wasOver, const Options& options) {
  const RunState state = stateOf(run);
  if (options.json) {
    printJson(toJson(run));
  } else if (wasOver) {
    printLine(
        fmt::format("run {} had already ended: {}", run.id.value, painted(toString(state), toneOf(state))));
  } else {
    for (const NodeRun& node : run.nodes)
      printLine(fmt::format("  {} {}", labelOf(node), toString(node.state)));
    printLine(fmt::format("run {} {}", run.id.value, painted(toString(state), toneOf(state))));
  }
  if (allNodesEnded(run)) return kDone;
  note("stopped waiting; the cancellation was asked for and continues");
  return kCancelled;
}

int cancel(const Options& options, const GlobalOptions& global) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const auto run = findRun(options.run, global, *store);
  if (!run) return failed(run.error());
  auto services = servicesOf(*run, global, *store, RetryMode::Follow);
  if (!services) return failed(services.error());
  const Interrupt interrupt;
  const bool wasOver = isTerminal(stateOf(*run)) && allNodesEnded(*run);
  if (!wasOver) note(fmt::format("cancelling {} job runs of {}", run->nodes.size(), run->id.value));
  const auto ended = services->launcher()->cancel(*run, interrupt.token());
  return ended ? report(*ended, wasOver, options) : failed(ended.error());
}

}  // namespace

void addCancelCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("cancel", "End every job run of a run and wait until each has ended");
  command->add_option("RUN", options->run, "run id or the beginning of one, job OCID, info file, or 'last'")
      ->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return cancel(*options, cli.global); }; });
}

}  // namespace lockstep::cli
