// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "oci/signing/pass_phrase_source.h"

namespace CLI {
class App;
}

namespace lockstep::cli {

/// What a command ends with; scripts rely on the numbers.
enum ExitCode : int {
  kDone = 0,
  kNotWell = 1,    // the thing asked about: an invalid file, a failed run, a missing prerequisite
  kUsage = 2,      // the command line
  kRefused = 3,    // a service could not be reached or refused
  kCancelled = 4,  // by the user
};

/// Options that every command takes.
struct GlobalOptions {
  std::string profile;
  std::string configFile;
  std::string region;
  std::string color = "auto";
  std::shared_ptr<oci::PassPhraseSource> passPhrases{};  // of encrypted keys
};

/// One command line: the options that are common, and what the chosen command is going to do once all is
/// parsed.
struct Cli {
  GlobalOptions global;
  std::function<int()> command;
};

// One function per command, each in commands/<name>_command.cpp: declares its options and sets Cli::command
// when chosen.
void addInitCommand(CLI::App& app, Cli& cli);
void addValidateCommand(CLI::App& app, Cli& cli);
void addPlanCommand(CLI::App& app, Cli& cli);
void addExportCommand(CLI::App& app, Cli& cli);
void addRunCommand(CLI::App& app, Cli& cli);
void addWatchCommand(CLI::App& app, Cli& cli);
void addAttachCommand(CLI::App& app, Cli& cli);
void addRunsCommand(CLI::App& app, Cli& cli);
void addStatusCommand(CLI::App& app, Cli& cli);
void addMetricsCommand(CLI::App& app, Cli& cli);
void addSaveCommand(CLI::App& app, Cli& cli);
void addImportCommand(CLI::App& app, Cli& cli);
void addReportCommand(CLI::App& app, Cli& cli);
void addStacksCommand(CLI::App& app, Cli& cli);
void addMuteCommand(CLI::App& app, Cli& cli);
void addShowConfigCommand(CLI::App& app, Cli& cli);
void addCancelCommand(CLI::App& app, Cli& cli);
void addDeleteCommand(CLI::App& app, Cli& cli);
void addRehearsalCommand(CLI::App& app, Cli& cli);
void addCheckCommand(CLI::App& app, Cli& cli);
void addFixCommand(CLI::App& app, Cli& cli);
void addHostsCommand(CLI::App& app, Cli& cli);
void addPoliciesCommand(CLI::App& app, Cli& cli);
void addRequestCommand(CLI::App& app, Cli& cli);
void addCallsCommand(CLI::App& app, Cli& cli);
void addMarkCommands(CLI::App& app, Cli& cli);  // tag, note, group, pin, archive
void addCompareCommand(CLI::App& app, Cli& cli);
void addRelaunchCommand(CLI::App& app, Cli& cli);
void addSweepCommand(CLI::App& app, Cli& cli);

/// Parses and does it; never throws.
int runCli(int argc, char** argv);

}  // namespace lockstep::cli
