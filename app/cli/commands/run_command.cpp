// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <memory>

#include "cli.h"
#include "durations.h"
#include "interrupt.h"
#include "launch/launch_session.h"
#include "launch_steps.h"
#include "output.h"
#include "target.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string file, image, on, infoFile, timeout, sourceFolder;
  bool detach = false;
  bool json = false;
  bool postMetrics = false;
  TellingOptions telling;
};

/// What is launched on that target; of a file that cannot be, its issues and why.
Result<PreparedLaunch> preparedFile(const Options& options, const LaunchTarget& target) {
  auto text = readTrainFile(options.file);
  if (!text) return failure(std::move(text.error()));
  const ClusterDocument document(*std::move(text));
  noteIssues(document, target, options.file);
  LaunchInput input{options.file, options.sourceFolder, options.image, {}};
  if (options.postMetrics) input.variables["LOCKSTEP_POST_METRICS"] = "1";
  auto launch = preparedHere(document, input, target);
  if (!launch) launch.error().where = placeInFile(options.file, launch.error().where);
  return launch;
}

int run(const Options& options, const GlobalOptions& global) {
  const LaunchTarget chosen = targetOf(global, options.on);
  auto prepared = preparedFile(options, chosen);  // before anything is started or asked
  if (!prepared) return failed(prepared.error());
  const Interrupt interrupt;
  auto launched = launchOn(chosen, *std::move(prepared), options.file, options.json, interrupt.token());
  if (!launched) return failed(launched.error());
  return reportAndFollow(*launched,
                         {options.infoFile, options.timeout, options.detach, options.json, options.telling},
                         interrupt);
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
  addTellingOptions(*command, options->telling);
  command->add_flag("--post-metrics", options->postMetrics,
                    "the nodes post their newest metrics to the Monitoring service each minute "
                    "(LOCKSTEP_POST_METRICS=1)");
  command->callback([options, &cli] { cli.command = [options, &cli] { return run(*options, cli.global); }; });
}

}  // namespace lockstep::cli
