// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "interrupt.h"
#include "output.h"
#include "setup/ssh/ssh_host_check.h"
#include "setup/step/setup_context.h"
#include "setup_view.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string file;
  int port = meetingPortOf(std::nullopt);
  bool json = false;
};

int check(const Options& options) {
  const Interrupt interrupt;
  const auto hosts = readHostsFile(options.file);
  if (!hosts) return failed(hosts.error());
  const SetupContext context({});  // for how programs are run; no profile is looked at
  const StepReport report = checkHosts(*hosts, options.port, context.run(), interrupt.token());
  if (interrupt.token().stop_requested()) return kCancelled;
  if (options.json) {
    printJson(toJson(report));
  } else {
    printReport("hosts", report);
  }
  return report.state == StepState::Blocked ? kNotWell : kDone;
}

}  // namespace

void addHostsCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* hosts = app.add_subcommand("hosts", "Machines of your own, over ssh");
  hosts->require_subcommand(1);
  CLI::App* command = hosts->add_subcommand(
      "check", "Check that ssh reaches them, what they have, and that they reach each other");
  command->add_option("HOSTFILE", options->file, "one user@host[:port] [slots=N] a line")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--port", options->port, "the port where the processes meet")
      ->check(CLI::Range(1, 65535))
      ->capture_default_str();
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, &cli] { cli.command = [options] { return check(*options); }; });
}

}  // namespace lockstep::cli
