// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/user_dirs.h"
#include "cli.h"
#include "interrupt.h"
#include "launch/rehearsal_control.h"
#include "oci/profile.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string stateDir;
  int port = 0;
  bool empty = false;
  bool json = false;
};

RehearsalOptions regionOptions(const Options& options, const GlobalOptions& global) {
  RehearsalOptions region;
  if (!options.stateDir.empty()) region.stateDir = std::filesystem::absolute(expandHome(options.stateDir));
  region.configFile = oci::resolved(queryOf(global)).configFile;
  region.port = options.port;
  region.empty = options.empty;
  return region;
}

int report(const Result<RehearsalInfo>& region, bool json) {
  if (!region) return failed(region.error());
  if (json) {
    printJson(toJson(*region));
    return kDone;
  }
  printLine(fmt::format("rehearsal region at {} (process {})", region->endpoint, region->pid));
  printLine(fmt::format("profile {} in {}", region->profile, region->configFile));
  if (!region->places.workDir.empty()) printLine(fmt::format("work dir {}", region->places.workDir));
  return kDone;
}

int start(const Options& options, const GlobalOptions& global) {
  const Interrupt interrupt;
  return report(startRehearsal(regionOptions(options, global), interrupt.token()), options.json);
}

int status(const Options& options, const GlobalOptions& global) {
  const auto region = rehearsalStatus(regionOptions(options, global));
  if (!region && options.json && region.error().code == StatusCode::NotFound) {
    printJson({{"running", false}});
    return kNotWell;
  }
  return report(region, options.json);
}

using Ending = Result<void> (*)(const RehearsalOptions&, const std::stop_token&);

int finish(Ending ending, const char* word, const Options& options, const GlobalOptions& global) {
  const Interrupt interrupt;
  const auto done = ending(regionOptions(options, global), interrupt.token());
  if (!done) return failed(done.error());
  options.json ? printJson({{"running", false}}) : printLine(word);
  return kDone;
}

CLI::App* addVerb(CLI::App& parent, const char* name, const char* help,
                  const std::shared_ptr<Options>& options) {
  CLI::App* verb = parent.add_subcommand(name, help);
  verb->add_option("--state", options->stateDir,
                   "folder of the region's state (default: in the user's data folder)");
  verb->add_flag("--json", options->json, "print one JSON document");
  return verb;
}

}  // namespace

void addRehearsalCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("rehearsal", "The region embedded in Lockstep: OCI's services on this machine");
  command->require_subcommand(1);
  CLI::App* verb = addVerb(*command, "start", "Start it in the background, unless it runs", options);
  verb->add_option("--port", options->port,
                   "port on 127.0.0.1 (default: the one used before, else a free one)")
      ->check(CLI::Range(1, 65535));
  verb->add_flag("--empty", options->empty, "with a tenancy that holds nothing yet");
  verb->callback([options, &cli] { cli.command = [options, &cli] { return start(*options, cli.global); }; });
  addVerb(*command, "status", "Where it is", options)->callback([options, &cli] {
    cli.command = [options, &cli] { return status(*options, cli.global); };
  });
  addVerb(*command, "stop", "End it and every job run in it", options)->callback([options, &cli] {
    cli.command = [options, &cli] { return finish(stopRehearsal, "stopped", *options, cli.global); };
  });
  addVerb(*command, "reset", "Stop it and forget everything in it", options)->callback([options, &cli] {
    cli.command = [options, &cli] {
      return finish(resetRehearsal, "stopped and forgotten", *options, cli.global);
    };
  });
}

}  // namespace lockstep::cli
