// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::vector<std::string> references;
  bool running = false;
  bool json = false;
};

/// Jobs of the tenancy that are not over.
Result<std::vector<std::string>> runningJobs(const GlobalOptions& global,
                                             const std::shared_ptr<RunStore>& store) {
  const auto found = findRemoteRuns({}, {}, global, store);
  if (!found) return failure(found.error());
  std::vector<std::string> jobs;
  for (const RemoteRun& run : found->runs)
    if (!isTerminal(run.state)) jobs.push_back(run.jobId.value);
  return jobs;
}

int attach(const Options& options, const GlobalOptions& global) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  auto references =
      options.running ? runningJobs(global, *store) : Result<std::vector<std::string>>(options.references);
  if (!references) return failed(references.error());
  if (references->empty()) note("no job of the tenancy is running");
  nlohmann::json rows = nlohmann::json::array();
  int exitCode = kDone;
  for (const std::string& reference : *references) {
    const auto run = findRun(reference, global, *store);
    if (!run) {
      exitCode = failed(run.error());
      continue;
    }
    rows.push_back(toJson(*run));
    if (!options.json)
      printText(fmt::format("{}  {}  {}\n", run->id.value, toString(stateOf(*run)), run->name));
  }
  if (options.json) printJson(rows);
  return exitCode;
}

}  // namespace

void addAttachCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "attach",
      "Take up runs that somebody else launched, so that they stand among the runs of this machine");
  CLI::Option* named = command->add_option("REFERENCE", options->references, "job OCID, or info file");
  CLI::Option* running =
      command->add_flag("--running", options->running, "all jobs of the tenancy that are running now")
          ->excludes(named);
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, named, running, &cli] {
    if (named->empty() && running->empty()) throw CLI::RequiredError("REFERENCE or --running");
    cli.command = [options, &cli] { return attach(*options, cli.global); };
  });
}

}  // namespace lockstep::cli
