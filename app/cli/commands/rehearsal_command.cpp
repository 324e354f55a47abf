// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/user_dirs.h"
#include "cli.h"
#include "interrupt.h"
#include "launch/rehearsal_control.h"
#include "oci/signing/profile.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string stateDir;
  int port = 0;
  bool empty = false;
  bool tls = false;
  bool clear = false;
  bool json = false;
  std::string faultsFile, seed = "ready", isolate = "auto";
};

RehearsalOptions regionOptions(const Options& options, const GlobalOptions& global) {
  RehearsalOptions region;
  if (!options.stateDir.empty()) region.stateDir = std::filesystem::absolute(expandHome(options.stateDir));
  region.configFile = oci::resolved(queryOf(global)).configFile;
  region.port = options.port;
  region.empty = options.empty || options.seed == "empty";
  region.tls = options.tls;
  region.isolate = options.isolate == "auto";
  if (!options.faultsFile.empty())
    region.faultsFile = std::filesystem::absolute(expandHome(options.faultsFile));
  return region;
}

// Beside the output, which a shell may evaluate.
void noteWhatIsUnenforced(const RehearsalInfo& region) {
  if (!region.unenforced.empty()) note("security rules are kept but not enforced: " + region.unenforced);
}

int report(const Result<RehearsalInfo>& region, bool json) {
  if (!region) return failed(region.error());
  if (json) {
    printJson(toJson(*region));
    return kDone;
  }
  printLine(fmt::format("rehearsal region at {} (process {})", region->endpoint, region->pid));
  if (!region->httpsEndpoint.empty())
    printLine(fmt::format("https at {}, certified by {}", region->httpsEndpoint, region->certificateBundle));
  printLine(fmt::format("profile {} in {}", region->profile, region->configFile));
  if (!region->places.workDir.empty()) printLine(fmt::format("work dir {}", region->places.workDir));
  noteWhatIsUnenforced(*region);
  return kDone;
}

int start(const Options& options, const GlobalOptions& global) {
  const Interrupt interrupt;
  return report(startRehearsal(regionOptions(options, global), interrupt.token()), options.json);
}

int status(const Options& options, const GlobalOptions& global) {
  const auto region = rehearsalStatus(regionOptions(options, global));
  if (!region && options.json && region.error().code == ErrorCode::NotFound) {
    printJson({{"running", false}});
    return kNotWell;
  }
  return report(region, options.json);
}

void printFaults(const nlohmann::json& plan) {
  const auto faults = plan.value("faults", nlohmann::json::array());
  if (faults.empty()) return printLine("nothing goes wrong");
  const auto strikes = plan.value("strikes", nlohmann::json::array());
  Table table({"fault", "operation", "struck"});
  for (std::size_t i = 0; i < faults.size(); ++i)
    table.add({faults[i].value("kind", ""), faults[i].value("operation", "*"),
               i < strikes.size() ? strikes[i].dump() : "0"});
  printLine(table.text());
}

int faults(const Options& options, const GlobalOptions& global) {
  const Interrupt interrupt;
  const RehearsalOptions region = regionOptions(options, global);
  const bool isChange = options.clear || !region.faultsFile.empty();
  const auto file = options.clear ? std::nullopt : std::optional(region.faultsFile);
  const auto plan = isChange ? setRehearsalFaults(region, file, interrupt.token())
                             : rehearsalFaults(region, interrupt.token());
  if (!plan) return failed(plan.error());
  options.json ? printJson(*plan) : printFaults(*plan);
  return kDone;
}

int environment(const Options& options, const GlobalOptions& global) {
  const auto region = rehearsalStatus(regionOptions(options, global));
  if (!region) return failed(region.error());
  const auto lines = rehearsalEnvironment(*region);
  if (!lines) return failed(lines.error());
  noteWhatIsUnenforced(*region);
  printLine(lines->substr(0, lines->size() - 1));
  return kDone;
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
  verb->add_flag("--tls", options->tls, "https as well, so that Oracle's own SDKs and command line reach it");
  verb->add_option("--seed", options->seed, "how a new tenancy comes up: ready for a launch, or empty")
      ->check(CLI::IsMember({"ready", "empty"}));
  verb->add_flag("--empty", options->empty, "the same as --seed empty");
  verb->add_option("--faults", options->faultsFile, "JSON file that says what is to go wrong")
      ->check(CLI::ExistingFile);
  verb->add_option("--isolate", options->isolate,
                   "auto: job runs in networks of their own where the machine allows it; off: never")
      ->check(CLI::IsMember({"auto", "off"}));
  verb->callback([options, &cli] { cli.command = [options, &cli] { return start(*options, cli.global); }; });
  addVerb(*command, "status", "Where it is", options)->callback([options, &cli] {
    cli.command = [options, &cli] { return status(*options, cli.global); };
  });
  verb = addVerb(*command, "faults", "Show what is to go wrong in it, or change that", options);
  CLI::Option* file = verb->add_option("FILE", options->faultsFile, "JSON file of the new plan");
  file->check(CLI::ExistingFile);
  verb->add_flag("--clear", options->clear, "let nothing go wrong any more")->excludes(file);
  verb->callback([options, &cli] { cli.command = [options, &cli] { return faults(*options, cli.global); }; });
  addVerb(*command, "environment", "Shell lines that point Oracle's SDKs and command line at it", options)
      ->callback(
          [options, &cli] { cli.command = [options, &cli] { return environment(*options, cli.global); }; });
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
