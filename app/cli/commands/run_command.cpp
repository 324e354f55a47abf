// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/atomic_file.h"
#include "cli.h"
#include "durations.h"
#include "follow_view.h"
#include "info_file.h"
#include "interrupt.h"
#include "launch/launch_session.h"
#include "output.h"
#include "progress_bar.h"
#include "target.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string file, image, on, infoFile, timeout, sourceFolder;
  bool detach = false;
  bool json = false;
};

void noteIssues(const ClusterDocument& document, const LaunchTarget& target, const std::string& file) {
  std::vector<Issue> issues = document.issues();
  if (target.rehearsal) std::erase_if(issues, isUnfinished);
  noteText(issuesText(issues, file, true));
}

/// What is launched on that target; of a file that cannot be, its issues and why.
Result<PreparedLaunch> preparedFile(const Options& options, const LaunchTarget& target) {
  auto text = readTrainFile(options.file);
  if (!text) return failure(std::move(text.error()));
  const ClusterDocument document(*std::move(text));
  noteIssues(document, target, options.file);
  auto prepared = prepareLaunch(document, {options.file, options.sourceFolder, options.image, {}}, target);
  if (!prepared) prepared.error().where = placeInFile(options.file, prepared.error().where);
  return prepared;
}

void noteReplaced(const std::vector<Replacement>& replaced, const std::string& file) {
  if (replaced.empty()) return;
  note(fmt::format("rehearsing {} with the region's own places (the file stays as it is):", file));
  for (const Replacement& r : replaced) {
    note(fmt::format("  {}: {} -> {}", r.what, r.from.empty() ? "(none)" : r.from, r.to));
  }
}

Result<TrainingRun> launch(RunServices& services, PreparedLaunch prepared, bool json,
                           const std::stop_token& stop) {
  ProgressBar bar(!json);
  const auto show = [&bar](const LaunchProgress& p) {
    bar.show(p.total > 0 ? std::optional(1.0 * p.done / p.total) : std::nullopt, toText(p));
  };
  return launchPrepared(services, std::move(prepared), show, stop);
}

Result<void> reportLaunch(const TrainingRun& run, const Options& options) {
  if (options.json) printJsonLine({{"type", "launched"}, {"run", toJson(run)}});
  note(fmt::format("run {} launched: job {}, {} job runs", run.id.value, run.jobId.value, run.nodes.size()));
  if (options.infoFile.empty()) return {};
  auto info = infoText(run);
  if (!info) return failure(std::move(info.error()));
  return writeFileAtomically(options.infoFile, *info);
}

int detached(const TrainingRun& run, bool json) {
  if (!json) printLine(run.id.value);
  note(fmt::format("it continues without this command; follow it with: lockstep watch {}", run.id.value));
  return kDone;
}

int cancelAfterTimeout(RunServices& services, const TrainingRun& run, const Options& options,
                       const std::stop_token& stop) {
  note(fmt::format("run {} has not ended within {}: cancelling it", run.id.value, options.timeout));
  const auto ended = services.launcher()->cancel(run, stop);
  if (!ended) return failed(ended.error());
  note(fmt::format("run {} is {}", run.id.value, toString(stateOf(*ended))));
  return kNotWell;
}

int follow(RunServices& services, const TrainingRun& run, const Options& options,
           const Interrupt& interrupt) {
  auto follower = services.follow(run);
  if (!follower) return failed(follower.error());
  FollowOptions following;
  following.json = options.json;
  following.progress = true;
  if (!options.timeout.empty()) following.limit = *parseDuration(options.timeout);
  const Followed followed = followRun(**follower, run, following, interrupt.token());
  follower->reset();  // what it still asks for ends before the run is cancelled
  switch (followed.end) {
    case FollowEnd::Interrupted:
      note(fmt::format(
          "stopped following; run {} continues. Follow it again with: lockstep watch {}; end it with: "
          "lockstep cancel {}",
          run.id.value, run.id.value, run.id.value));
      return kCancelled;
    case FollowEnd::TimedOut:
      return cancelAfterTimeout(services, followed.run, options, interrupt.token());
    default:
      return printSummary(followed.run, followed.metrics, options.json);
  }
}

int run(const Options& options, const GlobalOptions& global) {
  const LaunchTarget chosen = targetOf(global, options.on);
  auto prepared = preparedFile(options, chosen);  // before anything is started or asked
  if (!prepared) return failed(prepared.error());
  const Interrupt interrupt;
  if (const auto is = readyToLaunch(*prepared, interrupt.token()); !is) return failed(is.error());
  const auto target = reachTarget(chosen, interrupt.token());
  if (!target) return failed(target.error());
  noteReplaced(moveToTarget(*prepared, *target), options.file);
  auto services = servicesFor(*prepared, *target, interrupt.token());
  if (!services) return failed(services.error());
  const auto launched = launch(*services, *std::move(prepared), options.json, interrupt.token());
  if (!launched) return failed(launched.error());
  if (const auto reported = reportLaunch(*launched, options); !reported) printError(reported.error());
  return options.detach ? detached(*launched, options.json)
                        : follow(*services, *launched, options, interrupt);
}

}  // namespace

void addRunCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Launch a train.yaml and follow it to its end");
  command->add_option("FILE", options->file, "train.yaml, or - for stdin")->required();
  command->add_option("--on", options->on, "oci, or rehearsal: the region embedded in Lockstep")
      ->check(CLI::IsMember({"oci", "rehearsal"}));
  command->add_option("--image", options->image, "container image for a file that says '@image'");
  command->add_option("--source-folder", options->sourceFolder,
                      "in a rehearsal, the folder that stands for /code of the image (default: the "
                      "source_folder of a config.ini beside FILE, else the folder of FILE)");
  command->add_option("--info", options->infoFile, "write the ids of the launch into this YAML file");
  command
      ->add_option("--timeout", options->timeout,
                   "cancel the run when it has not ended by then (90s, 30m, 2h)")
      ->check(isDuration);
  command->add_flag("--detach", options->detach, "print the run's id and return once it is launched");
  command->add_flag("--json", options->json, "print one JSON document per line");
  command->callback([options, &cli] { cli.command = [options, &cli] { return run(*options, cli.global); }; });
}

}  // namespace lockstep::cli
