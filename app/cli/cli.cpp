// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "base/user_dirs.h"
#include "base/version.h"
#include "output.h"
#include "pass_phrase_prompt.h"

namespace lockstep::cli {
namespace {

void addGlobalOptions(CLI::App& app, Cli& cli) {
  app.add_option("--profile", cli.global.profile, "OCI profile (default: OCI_CLI_PROFILE, else DEFAULT)");
  app.add_option("--config", cli.global.configFile,
                 "OCI config file (default: OCI_CONFIG_FILE, else ~/.oci/config)");
  app.add_option("--region", cli.global.region, "region id; 'rehearsal' is the region embedded in Lockstep");
  app.add_option("--color", cli.global.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

void addCommands(CLI::App& app, Cli& cli) {
  for (const auto add :
       {addInitCommand,     addValidateCommand, addPlanCommand,      addExportCommand, addRunCommand,
        addWatchCommand,    addRunsCommand,     addAttachCommand,    addStatusCommand, addMetricsCommand,
        addReportCommand,   addSaveCommand,     addImportCommand,    addStacksCommand, addShowConfigCommand,
        addCancelCommand,   addDeleteCommand,   addRehearsalCommand, addCheckCommand,  addFixCommand,
        addPoliciesCommand, addHostsCommand,    addRequestCommand,   addCallsCommand,  addMuteCommand,
        addMarkCommands,    addCompareCommand,  addRelaunchCommand,  addSweepCommand}) {
    add(app, cli);
  }
  for (CLI::App* command : app.get_subcommands({})) {
    if (command->get_allow_extras()) continue;  // what it does not know is its own to look at
    command->fallthrough();                     // the common options may stand behind the command, too
    for (CLI::App* verb : command->get_subcommands({})) verb->fallthrough();
  }
}

bool hasDisplay() {
  const char* x11 = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  return (x11 != nullptr && *x11 != '\0') || (wayland != nullptr && *wayland != '\0');
}

// Without a command: the desktop app where there is a screen, else help.
int openDesktopOrHelp(const CLI::App& app) {
  const std::string desktop = (programDir() / "lockstep-desktop").string();
  if (hasDisplay() && ::access(desktop.c_str(), X_OK) == 0) {
    ::execl(desktop.c_str(), desktop.c_str(), nullptr);
    printError(errnoError(fmt::format("cannot start '{}'", desktop), errno));
    return kNotWell;
  }
  printText(app.help());
  return kDone;
}

int parseAndRun(int argc, char** argv) {
  Cli cli;
  CLI::App app("Configure, launch and watch distributed training on Oracle Cloud Infrastructure.",
               "lockstep");
  app.set_version_flag("--version", "lockstep " LOCKSTEP_VERSION);
  app.require_subcommand(0, 1);
  addGlobalOptions(app, cli);
  addCommands(app, cli);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUsage;
  }
  chooseColors(cli.global.color);
  cli.global.passPhrases = makePassPhrasePrompt();
  // The profile loader lets OCI_CLI_REGION win over the file, which is what the option means.
  if (!cli.global.region.empty() && cli.global.region != "rehearsal") {
    ::setenv("OCI_CLI_REGION", cli.global.region.c_str(), 1);
  }
  return cli.command ? cli.command() : openDesktopOrHelp(app);
}

}  // namespace

int runCli(int argc, char** argv) {
  try {
    return parseAndRun(argc, argv);
  } catch (const std::exception& error) {  // a library's; ours are values
    note(fmt::format("lockstep: unexpected failure: {}", error.what()));
    return kNotWell;
  }
}

}  // namespace lockstep::cli
