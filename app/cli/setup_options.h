// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <vector>

#include "cli.h"
#include "setup/steps/setup_steps.h"
#include "target.h"

namespace lockstep::cli {

/// What `check` and `fix` are told about the tenancy beyond the profile.
struct SetupOptions {
  std::string file, workDir, mode, image;
  std::string registryUser, federation;  // "oracleidentitycloudservice" or the name of an identity domain
  SetupChoices choices;                  // those that are plain texts
  std::vector<std::string> waived;       // "STEP=REASON"
};
void addSetupOptions(CLI::App& command, SetupOptions& options);

/// The profile's target, and what all steps look at: the options, what the train.yaml says, and for a
/// rehearsal region without a train.yaml the places of its own tenancy. InvalidArgument names the option.
struct SetupTarget {
  Target target;
  SetupContext::Setup setup;
};
Result<SetupTarget> setupTarget(const SetupOptions& options, const GlobalOptions& global,
                                const std::stop_token& stop);

/// Puts what the steps found into the train.yaml at `file`, its comments and order kept.
Result<void> writeFacts(const std::string& file, const std::map<std::string, std::string>& facts);

/// Whether writeFacts() would change the file.
[[nodiscard]] bool saysOther(const std::string& file, const std::map<std::string, std::string>& facts);

}  // namespace lockstep::cli
