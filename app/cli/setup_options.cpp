// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/atomic_file.h"
#include "output.h"
#include "setup/step/setup_facts.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

void addText(CLI::App& command, const char* name, std::string& value, const char* help) {
  command.add_option(name, value, help)->type_name("TEXT");
}

PolicyMode modeNamed(const std::string& name) {
  for (const PolicyMode mode : {PolicyMode::ProofOfConcept, PolicyMode::Scoped}) {
    if (name == toString(mode)) return mode;
  }
  return PolicyMode::Restricted;
}

Result<std::map<std::string, std::string>> waivedSteps(const std::vector<std::string>& waived) {
  std::map<std::string, std::string> steps;
  for (const std::string& text : waived) {
    const std::size_t equals = text.find('=');
    const std::string step = text.substr(0, equals);
    const auto& names = setupStepNames();
    if (equals == std::string::npos || equals + 1 == text.size() ||
        std::find(names.begin(), names.end(), step) == names.end())
      return failure(ErrorCode::InvalidArgument, fmt::format("--waive '{}' names no step and reason", text),
                     "a step is waived with the reason why it does not matter",
                     "write it as --waive 'ocir-login=a colleague pushes the image'");
    steps[step] = text.substr(equals + 1);
  }
  return steps;
}

Result<void> addSpec(SetupContext::Setup& setup, const std::string& file) {
  if (file.empty()) return {};
  auto text = readTrainFile(file);
  if (!text) return failure(std::move(text.error()));
  const ClusterDocument document(*std::move(text));
  if (!document.isParsable())
    return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is no YAML", file),
                   document.issues().empty() ? "" : document.issues().front().message,
                   fmt::format("lockstep validate {} shows where", file));
  setup.spec = document.spec();
  return {};
}

// The rehearsal tenancy knows its own places: with nothing else said, those are meant.
void addPlaces(SetupChoices& choices, const TenancyIds& places) {
  const auto fill = [](std::string& value, const std::string& place) {
    if (value.empty()) value = place;
  };
  fill(choices.compartmentId, places.compartmentId);
  fill(choices.projectId, places.projectId);
  fill(choices.subnetId, places.subnetId);
  fill(choices.logGroupId, places.logGroupId);
  fill(choices.logId, places.logId);
  if (choices.bucket.empty() && choices.workDir.empty())
    choices = withFacts(choices, {{"cluster.workDir", places.workDir}});
}

Result<void> addChoices(SetupContext::Setup& setup, const SetupOptions& options) {
  setup.choices = options.choices;
  SetupChoices& choices = setup.choices;
  if (!options.mode.empty()) choices.policyMode = modeNamed(options.mode);
  if (!options.workDir.empty()) choices = withFacts(choices, {{"cluster.workDir", options.workDir}});
  if (options.federation == "oracleidentitycloudservice") {
    choices.accountKind = oci::AccountKind::Federated;
  } else if (!options.federation.empty()) {
    choices.accountKind = oci::AccountKind::IdentityDomain;
    choices.identityDomain = options.federation;
  }
  auto waived = waivedSteps(options.waived);
  if (!waived) return failure(waived.error());
  choices.waived = *std::move(waived);
  return {};
}

}  // namespace

void addSetupOptions(CLI::App& command, SetupOptions& options) {
  SetupChoices& choices = options.choices;
  command.add_option("-f,--file", options.file, "train.yaml for which the tenancy is to be ready");
  addText(command, "--work-dir", options.workDir, "work dir, oci://bucket@namespace/prefix");
  addText(command, "--compartment", choices.compartmentId, "OCID of the compartment");
  addText(command, "--new-compartment", choices.newCompartment,
          "name of the compartment to make where none is named (default: lockstep)");
  addText(command, "--project", choices.projectId, "OCID of the Data Science project");
  addText(command, "--vcn", choices.vcnId, "OCID of the VCN, where a subnet is to be picked");
  addText(command, "--subnet", choices.subnetId, "OCID of the subnet of the nodes");
  addText(command, "--log-group", choices.logGroupId, "OCID of the log group");
  addText(command, "--log", choices.logId, "OCID of the log");
  addText(command, "--image", choices.image, "image of the nodes, iad.ocir.io/namespace/repository:tag");
  addText(command, "--group", choices.group, "name of the group whose users launch");
  command
      .add_option("--launched-by", choices.launcher,
                  "what --group names: a group of users, or the dynamic-group of what launches without one "
                  "(default: as the profile signs in)")
      ->check(CLI::IsMember({"group", "dynamic-group"}));
  addText(command, "--dynamic-group", choices.dynamicGroup, "name of the dynamic group of the job runs");
  command
      .add_option("--mode", options.mode,
                  "how much policies grant: restricted (default), scoped (only this bucket and repository), "
                  "poc (everything: unsafe)")
      ->check(CLI::IsMember({"poc", "restricted", "scoped"}));
  addText(command, "--registry-user", choices.registryUser, "user name for the registry, no namespace");
  addText(command, "--identity-domain", options.federation,
          "identity domain of that user; oracleidentitycloudservice for a federated one");
  addText(command, "--engine", choices.engine, "container engine: docker, podman or a path");
  addText(command, "--hosts", choices.hostsFile, "hosts file of machines of one's own");
  command.add_option("--waive", options.waived, "STEP=REASON: this step does not matter here")
      ->type_name("TEXT");
}

Result<SetupTarget> setupTarget(const SetupOptions& options, const GlobalOptions& global,
                                const std::stop_token& stop) {
  SetupContext::Setup setup;
  if (auto done = addChoices(setup, options); !done) return failure(done.error());
  if (auto done = addSpec(setup, options.file); !done) return failure(done.error());
  auto target = reachTarget(targetOf(global, {}), stop);
  if (!target) return failure(target.error());
  target->query.passPhrases = global.passPhrases;
  setup.query = target->query;
  if (!setup.spec && target->rehearsal) addPlaces(setup.choices, target->rehearsal->places);
  return SetupTarget{*std::move(target), std::move(setup)};
}

Result<void> writeFacts(const std::string& file, const std::map<std::string, std::string>& facts) {
  auto text = readTrainFile(file);
  if (!text) return failure(std::move(text.error()));
  const ClusterDocument before(*std::move(text));
  const auto after = withFacts(before, facts);
  if (!after) return failure(after.error());
  if (after->text() == before.text()) return {};
  return writeFileAtomically(file, after->text());
}

bool saysOther(const std::string& file, const std::map<std::string, std::string>& facts) {
  auto text = readTrainFile(file);
  if (!text) return false;
  const ClusterDocument before(*std::move(text));
  const auto after = withFacts(before, facts);
  return after && after->text() != before.text();
}

}  // namespace lockstep::cli
