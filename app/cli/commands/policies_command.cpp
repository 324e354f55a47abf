// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "cluster/document/cluster_document.h"
#include "output.h"
#include "setup/policies/policy_requirements.h"
#include "setup/step/setup_facts.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;
using Who = RequiredStatement::Who;

struct Options {
  std::string mode = "restricted", group, dynamicGroup, compartment, network, repository, file,
              principal = "group";
  std::vector<std::string> buckets;
  bool json = false;
};

PolicyMode modeNamed(const std::string& name) {
  for (const PolicyMode mode : {PolicyMode::ProofOfConcept, PolicyMode::Scoped})
    if (name == toString(mode)) return mode;
  return PolicyMode::Restricted;
}

/// What a train.yaml says in a field; nothing while it is still to be replaced.
std::string said(const std::optional<std::string>& value) {
  return value && !isPlaceholder(*value) ? *value : std::string();
}

CompartmentRef placeNamed(const std::string& text) {
  if (text.starts_with("ocid1.")) return {text, ""};
  return {"", text};
}

Result<std::optional<ClusterSpec>> specOf(const std::string& file) {
  if (file.empty()) return std::optional<ClusterSpec>();
  auto text = readTrainFile(file);
  if (!text) return failure(std::move(text.error()));
  const ClusterDocument document(*std::move(text));
  if (!document.isParsable())
    return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is no YAML", file),
                   document.issues().empty() ? "" : document.issues().front().message,
                   fmt::format("lockstep validate {} shows where", file));
  return std::optional(document.spec());
}

PolicyRequirements requirementsOf(const Options& options, const std::optional<ClusterSpec>& spec) {
  PolicyRequirements requirements = policyRequirementsOf(
      spec, spec ? said(spec->workDir) : "", spec ? said(spec->image) : "", modeNamed(options.mode));
  if (options.principal == "instance") requirements.launcherKind = PolicySubject::Kind::DynamicGroup;
  const bool isGroup = requirements.launcherKind == PolicySubject::Kind::Group;
  const GroupName launchers = groupNamed(options.group), runs = groupNamed(options.dynamicGroup);
  requirements.launchers = !launchers.name.empty() ? launchers.name
                           : isGroup               ? "<group>"
                                                   : "lockstep-launchers";
  requirements.launchersDomain = launchers.domain;
  if (!runs.name.empty()) requirements.jobRuns = runs.name;
  requirements.jobRunsDomain = runs.domain;
  const std::string own = spec ? said(spec->infrastructure.compartmentId) : std::string();
  requirements.compartment = placeNamed(options.compartment.empty() ? own : options.compartment);
  if (!options.network.empty()) requirements.network = placeNamed(options.network);
  if (!options.buckets.empty()) {
    requirements.buckets = options.buckets;
    requirements.needsBucket = true;
  }
  if (!options.repository.empty()) {
    requirements.repository = options.repository;
    requirements.needsRepository = true;
  }
  if (requirements.mode == PolicyMode::ProofOfConcept) requirements.until = endOfProof(SystemClock().now());
  return requirements;
}

struct NamedRule {
  std::string name, rule, reason;
};

std::vector<NamedRule> rulesOf(const PolicyRequirements& requirements) {
  std::vector<NamedRule> rules{
      {requirements.jobRuns, jobRunsRule(requirements.compartment), "the job runs of the compartment"}};
  if (requirements.launcherKind == PolicySubject::Kind::DynamicGroup)
    rules.push_back(
        {requirements.launchers, instancesRule(requirements.compartment), "the instances that launch"});
  return rules;
}

json jsonOf(const PolicyRequirements& requirements, const std::vector<RequiredStatement>& statements) {
  json groups = json::array(), list = json::array();
  for (const NamedRule& one : rulesOf(requirements))
    groups.push_back({{"name", one.name}, {"matchingRule", one.rule}, {"reason", one.reason}});
  for (const RequiredStatement& one : statements)
    list.push_back({{"for", toString(one.who)},
                    {"statement", toText(one.statement)},
                    {"reason", one.reason},
                    {"moreAsked", one.moreAsked}});
  return {{"mode", toString(requirements.mode)},
          {"unsafe", requirements.mode == PolicyMode::ProofOfConcept},
          {"dynamicGroups", std::move(groups)},
          {"statements", std::move(list)},
          {"placeholders", placeholdersIn(statements)}};
}

const char* headingOf(Who who) {
  switch (who) {
    case Who::Launcher:
      return "Who launches:";
    case Who::JobRuns:
      return "Job runs:";
    case Who::Service:
      break;
  }
  return "The service:";
}

// Reasons go to stderr: what is on stdout can be pasted as it is.
void print(const PolicyRequirements& requirements, const std::vector<RequiredStatement>& statements) {
  for (const NamedRule& one : rulesOf(requirements)) {
    note(fmt::format("Dynamic group '{}' ({}), matching rule:", one.name, one.reason));
    printLine(one.rule);
  }
  printLine("");
  const Who* last = nullptr;
  for (const RequiredStatement& one : statements) {
    if (last == nullptr || *last != one.who) note(headingOf(one.who));
    last = &one.who;
    note(fmt::format("  {}{}", one.reason, one.moreAsked.empty() ? "" : " (" + one.moreAsked + ")"));
    printLine(toText(one.statement));
  }
}

void printWarnings(const PolicyRequirements& requirements, const std::vector<RequiredStatement>& statements) {
  if (requirements.mode == PolicyMode::ProofOfConcept)
    warn("unsafe: this lets job runs do everything in the compartment until " +
         requirements.until.substr(0, 10) + "; the mode 'restricted' grants what training needs");
  std::string marks;
  for (const std::string& mark : placeholdersIn(statements)) marks += (marks.empty() ? "" : ", ") + mark;
  if (requirements.compartment.id.empty())
    marks += marks.empty() ? "the OCID in the rule" : ", the OCID in the rule";
  if (!marks.empty()) warn("to be replaced before you paste: " + marks);
}

int policies(const Options& options) {
  const auto spec = specOf(options.file);
  if (!spec) return failed(spec.error());
  const PolicyRequirements requirements = requirementsOf(options, *spec);
  const std::vector<RequiredStatement> statements = requiredStatements(requirements);
  if (options.json) {
    printJson(jsonOf(requirements, statements));
  } else {
    print(requirements, statements);
  }
  printWarnings(requirements, statements);
  return kDone;
}

void addText(CLI::App& command, const char* name, std::string& value, const char* help) {
  command.add_option(name, value, help)->type_name("TEXT");
}

}  // namespace

void addPoliciesCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "policies",
      "Print the IAM statements and dynamic-group rules that training needs, ready to paste; asks nobody");
  command->add_option("FILE", options->file, "train.yaml for which they are, or - for stdin");
  command
      ->add_option("--mode", options->mode,
                   "restricted (default), scoped (only this bucket and repository), poc (everything: unsafe)")
      ->check(CLI::IsMember({"poc", "restricted", "scoped"}));
  addText(*command, "--group", options->group,
          "group whose users launch, Domain/Name in another identity domain");
  addText(*command, "--dynamic-group", options->dynamicGroup, "dynamic group of the job runs");
  addText(*command, "--compartment", options->compartment, "name (a:b) or OCID of the compartment");
  addText(*command, "--network-compartment", options->network, "that of the subnet, if it is another one");
  command->add_option("--bucket", options->buckets, "bucket of the work dir; may be repeated")
      ->type_name("TEXT");
  addText(*command, "--repo", options->repository, "repository of the image, without registry and namespace");
  command
      ->add_option("--principal", options->principal,
                   "who launches: a group of users, or instances by their dynamic group")
      ->check(CLI::IsMember({"group", "instance"}));
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, &cli] { cli.command = [options] { return policies(*options); }; });
}

}  // namespace lockstep::cli
