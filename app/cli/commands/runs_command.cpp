// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "cli.h"
#include "follow_view.h"
#include "launch/stop_after.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

// For bringing all live runs up to date together: a list that hangs on a region that is away is of no use.
constexpr std::chrono::seconds kRefreshLimit{4};

struct Options {
  bool json = false;
  bool offline = false;
};

bool isOver(const TrainingRun& run) {
  return isTerminal(stateOf(run)) && allNodesEnded(run);
}

void bringUpToDate(std::vector<TrainingRun>& runs, const GlobalOptions& global,
                   const std::shared_ptr<RunStore>& store) {
  const StopAfter limit(kRefreshLimit);
  std::map<std::pair<std::string, std::string>, bool> reachable;  // by profile
  for (TrainingRun& run : runs) {
    if (isOver(run) || limit.token().stop_requested()) continue;
    const auto [place, isNew] = reachable.try_emplace({run.configFile, run.profile}, true);
    if (!place->second) continue;
    auto services = servicesOf(run, global, store, RetryMode::OneLook);
    auto now =
        services ? services->launcher()->refresh(run, limit.token()) : tl::unexpected(services.error());
    if (now) {
      run = *std::move(now);
      continue;
    }
    place->second = false;
    warn(fmt::format("the states of the runs of profile '{}' are the last known ones: {}", run.profile,
                     describe(now.error())));
  }
}

std::string elapsed(const TrainingRun& run) {
  const TimePoint end = run.finished.value_or(SystemClock().now());
  return elapsedText(end - run.created);
}

void printTable(const std::vector<TrainingRun>& runs) {
  Table table({"RUN", "STATE", "NODES", "CREATED", "ELAPSED", "PROFILE", "NAME"});
  for (const TrainingRun& run : runs) {
    table.add({run.id.value, toString(stateOf(run)), std::to_string(run.nodes.size()),
               toRfc3339(run.created).substr(0, 19) + "Z", elapsed(run), run.profile, run.name});
  }
  printText(table.text());
}

int runs(const Options& options, const GlobalOptions& global) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  auto all = (*store)->all();
  if (!all) return failed(all.error());
  if (!options.offline) bringUpToDate(*all, global, *store);
  if (options.json) {
    nlohmann::json rows = nlohmann::json::array();
    for (const TrainingRun& run : *all) rows.push_back(toJson(run));
    printJson(rows);
  } else if (all->empty()) {
    note("no run has been launched from this machine yet; launch one with: lockstep run FILE");
  } else {
    printTable(*all);
  }
  return kDone;
}

}  // namespace

void addRunsCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("runs", "List the runs that this machine launched or attached to, newest first");
  command->add_flag("--json", options->json, "print one JSON document");
  command->add_flag("--offline", options->offline, "the last known states, without asking any service");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return runs(*options, cli.global); }; });
}

}  // namespace lockstep::cli
