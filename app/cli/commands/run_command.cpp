// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "cli.h"
#include "durations.h"
#include "follow_view.h"
#include "info_file.h"
#include "interrupt.h"
#include "launch/rehearsal_code.h"
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

/// `rehearsing`: ids that are still placeholders do not matter, the region's own take their places.
Result<LaunchRequest> launchRequest(const Options& options, bool rehearsing) {
  auto text = readTrainFile(options.file);
  if (!text) return failure(std::move(text.error()));
  const ClusterDocument document(*text);
  std::vector<Issue> issues = document.issues();
  if (rehearsing) std::erase_if(issues, isUnfinished);
  noteText(issuesText(issues, options.file, true));
  PlanOptions wanted{options.image, generatedName()};
  wanted.draft = rehearsing;
  auto plan = makePlan(document, wanted);
  if (!plan) {
    plan.error().where = placeInFile(options.file, plan.error().where);
    return failure(std::move(plan.error()));
  }
  LaunchRequest request;
  request.name = plan->requests.front().body.value("displayName", "run");
  request.plan = *std::move(plan);
  request.trainYaml = *std::move(text);
  return request;
}

void moveToRehearsal(LaunchRequest& request, const RehearsalInfo& region, const std::string& file) {
  MovedPlan moved = movedToRehearsal(request.plan, region);
  request.plan = std::move(moved.plan);
  if (moved.replaced.empty()) return;
  note(fmt::format("rehearsing {} with the region's own places (the file stays as it is):", file));
  for (const Replacement& r : moved.replaced) {
    note(fmt::format("  {}: {} -> {}", r.what, r.from.empty() ? "(none)" : r.from, r.to));
  }
}

Result<TrainingRun> launch(RunServices& services, LaunchRequest request, const Options& options,
                           const std::stop_token& stop) {
  ProgressBar bar(!options.json);
  return launchWithCode(
      services, std::move(request), codeFolderOf(options.file, options.sourceFolder),
      [&](const LaunchProgress& p) { bar.show(p.total > 0 ? 1.0 * p.done / p.total : 0, p.doing); }, stop);
}

Result<void> reportLaunch(const TrainingRun& run, const Options& options) {
  if (options.json) printJsonLine({{"type", "launched"}, {"run", toJson(run)}});
  note(fmt::format("run {} launched: job {}, {} job runs", run.id.value, run.jobId.value, run.nodes.size()));
  if (options.infoFile.empty()) return {};
  return writeFileAtomically(options.infoFile, infoText(run));
}

int detached(const TrainingRun& run, bool json) {
  if (!json) printLine(run.id.value);
  note(fmt::format("it goes on without this command; follow it with: lockstep watch {}", run.id.value));
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
  switch (followed.end) {
    case FollowEnd::Interrupted:
      note(fmt::format(
          "stopped following; run {} goes on. Follow it again with: lockstep watch {}; end it with: "
          "lockstep cancel {}",
          run.id.value, run.id.value, run.id.value));
      return kCancelled;
    case FollowEnd::TimedOut:
      return cancelAfterTimeout(services, followed.run, options, interrupt.token());
    default:
      return printSummary(followed.run, followed.metrics, options.json);
  }
}

Result<void> ready(const LaunchRequest& request, const Options& options, const std::stop_token& stop) {
  return readyToRehearse(request.plan, codeFolderOf(options.file, options.sourceFolder), stop);
}

/// The services of the target, which the request names from then on. `isReady`: it has been asked for
/// already.
Result<RunServices> servicesFor(LaunchRequest& request, const Target& target, const Options& options,
                                bool isReady, const std::stop_token& stop) {
  auto store = openRunStore();
  if (!store) return failure(store.error());
  if (target.rehearsal) moveToRehearsal(request, *target.rehearsal, options.file);
  auto services = RunServices::open(target.query, *store);
  if (!services) return services;
  if (!isReady && !services->profile().endpoint.empty()) {  // a rehearsal region, by its profile
    if (const auto is = ready(request, options, stop); !is) return failure(is.error());
  }
  request.configFile = services->profile().configFile.string();
  request.profile = services->profile().name;
  return services;
}

int run(const Options& options, const GlobalOptions& global) {
  const bool rehearsing = options.on == "rehearsal" || global.region == "rehearsal";
  auto request = launchRequest(options, rehearsing);  // before anything is started or asked
  if (!request) return failed(request.error());
  const Interrupt interrupt;
  if (rehearsing) {
    if (const auto is = ready(*request, options, interrupt.token()); !is) return failed(is.error());
  }
  const auto target = chooseTarget(global, options.on, interrupt.token());
  if (!target) return failed(target.error());
  auto services = servicesFor(*request, *target, options, rehearsing, interrupt.token());
  if (!services) return failed(services.error());
  const auto launched = launch(*services, *std::move(request), options, interrupt.token());
  if (!launched) return failed(launched.error());
  if (const auto reported = reportLaunch(*launched, options); !reported) printStatus(reported.error());
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
