// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "durations.h"
#include "history/relaunch.h"
#include "launch_steps.h"
#include "output.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string run, on;
  std::vector<std::string> changes;
  AfterLaunch after;
  bool dryRun = false;
};

Result<std::vector<LaunchChange>> changesIn(const Options& options) {
  std::vector<LaunchChange> changes;
  for (const std::string& text : options.changes) {
    auto change = parseLaunchChange(text);
    if (!change) return failure(std::move(change.error()));
    changes.push_back(*std::move(change));
  }
  return changes;
}

void noteFile(const TrainingRun& run) {
  const TrainFileNow file = trainFileNow(run);
  if (file == TrainFileNow::Changed)
    note(fmt::format("{} has changed since; the text of then is launched", run.trainFile));
  if (file == TrainFileNow::Gone)
    note(fmt::format("{} is not there any more; the text of then is launched", run.trainFile));
}

/// Where the run was launched, unless the options name another place.
LaunchTarget targetFor(const TrainingRun& run, const Options& options, const GlobalOptions& global) {
  return chosenTarget({queryFor(run, queryOf(global)), options.on, global.region});
}

int shown(const TrainingRun& run, const Relaunch& again, const PreparedLaunch& prepared, bool json) {
  if (json) {
    printJson({{"run", run.id.value},
               {"difference", again.difference},
               {"requests", prepared.request.plan.requests.size()},
               {"issues", nlohmann::json(toJson(again.document.issues()))}});
  } else {
    printText(again.difference);
    note(again.difference.empty() ? "nothing would be other than it was"
                                  : "nothing was launched: that is what would be other");
  }
  return kDone;
}

int relaunch(const Options& options, const GlobalOptions& global) {
  const auto changes = changesIn(options);
  if (!changes) {
    printError(changes.error());
    return kUsage;
  }
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const auto run = findRun(options.run, global, *store);
  if (!run) return failed(run.error());
  const auto again = planRelaunch(*run, *changes);
  if (!again) return failed(again.error());
  const LaunchTarget chosen = targetFor(*run, options, global);
  noteIssues(again->document, chosen, run->id.value + "/train.yaml");
  auto launch = preparedHere(again->document, again->input, chosen);
  if (!launch) return failed(launch.error());
  if (options.dryRun) return shown(*run, *again, *launch, options.after.json);
  noteText(again->difference);
  noteFile(*run);
  const Interrupt interrupt;
  auto launched = launchOn(chosen, *std::move(launch), run->id.value, options.after.json, interrupt.token());
  if (!launched) return failed(launched.error());
  return reportAndFollow(*launched, options.after, interrupt);
}

}  // namespace

void addRelaunchCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "relaunch", "Launch exactly the same again: the text of then, with the same image and profile");
  command->add_option("RUN", options->run, "run id or the beginning of one, job OCID, info file, or 'last'")
      ->required();
  command->add_option(
      "--set", options->changes,
      "what is to be other, KEY=VALUE: arg.lr=0.01, env.NAME=VALUE, image=I, or the path of a "
      "value (spec.cluster.spec.worker.replicas=4); may be given several times");
  command->add_option("--on", options->on, "oci, or rehearsal: elsewhere than the run was launched")
      ->check(CLI::IsMember({"oci", "rehearsal"}));
  command->add_flag("--dry-run", options->dryRun, "show the difference and launch nothing");
  command->add_option("--info", options->after.infoFile, "write the ids of the launch into this YAML file");
  command
      ->add_option("--timeout", options->after.timeout,
                   "cancel the run when it has not ended by then (90s, 30m, 2h)")
      ->check(isDuration);
  command->add_flag("--detach", options->after.detach, "print the run's id and return once it is launched");
  addTellingOptions(*command, options->after.telling);
  command->add_flag("--json", options->after.json, "print one JSON document per line");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return relaunch(*options, cli.global); }; });
}

}  // namespace lockstep::cli
