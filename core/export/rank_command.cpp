// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/rank_command.h"

#include <fmt/format.h>

#include "base/text/quote.h"
#include "export/templates.h"

namespace lockstep {
namespace {

/// Set by whatever starts the ranks.
constexpr const char* kOfTheLauncher[] = {"RANK",      "LOCAL_RANK", "WORLD_SIZE",  "LOCAL_WORLD_SIZE",
                                          "NODE_RANK", "GROUP_RANK", "MASTER_ADDR", "MASTER_PORT"};

Environment withoutLauncher(Environment environment) {
  for (const char* name : kOfTheLauncher) environment.erase(name);
  return environment;
}

const ExportNode* firstWorker(const ClusterView& view) {
  for (const ExportNode& node : view.nodes) {
    if (node.role == NodeRole::Worker) return &node;
  }
  return nullptr;
}

/// The words behind `torchrun` of a `kind: job` file, or its entry point and arguments.
Result<TrainingCommand> commandOfJob(const JobSpec& job, std::string_view form) {
  TrainingCommand command;
  command.codeDir = job.workingDir.value_or(".");
  if (!job.command || job.command->empty()) {
    command.entry = job.entryPoint.value_or("");
    command.arguments = job.args;
  } else {
    std::vector<std::string> words = splitShell(*job.command);
    if (!words.empty() && words[0] == "torchrun")
      words.erase(words.begin());
    else if (!words.empty() && words[0].ends_with("python"))
      words.erase(words.begin());
    if (!words.empty() && !words[0].starts_with('-')) {
      command.entry = words[0];
      command.arguments.assign(words.begin() + 1, words.end());
    }
  }
  const bool other = command.entry == "deepspeed" || command.entry == "accelerate" || command.entry == "bash";
  if (!command.entry.empty() && !other) return command;
  return failure(ErrorCode::InvalidArgument, fmt::format("the job cannot be exported as {}", form),
                 fmt::format("its command '{}' is not a program and its arguments", job.command.value_or("")),
                 "write the command as 'torchrun train.py …', or as entrypoint and args",
                 "spec.runtime.spec.command");
}

Result<TrainingCommand> commandOf(const ExportInput& input, const ExportNode& node, std::string_view form) {
  const auto& job = input.document.spec().job;
  if (job) return commandOfJob(*job, form);
  return trainingCommandOf(node);
}

bool isJobForRanks(const ClusterSpec& spec) {
  return spec.job && !spec.job->isContainer();
}

std::string environmentWords(const Environment& environment, const Environment* common, SecretStore& secrets,
                             const char* indent) {
  std::string out;
  for (const EnvVar& variable : environment.variables()) {
    const std::string* shared = common == nullptr ? nullptr : common->find(variable.name);
    if (shared != nullptr && *shared == variable.value) continue;
    out += indent;
    if (isSecret(variable) && !variable.value.empty())
      out += quoteShell(variable.name + "=") + "\"$" + secrets.variableFor(variable) + "\"\n";
    else
      out += quoteShell(variable.name + "=" + variable.value) + "\n";
  }
  return out;
}

/// What both environments have alike.
Environment common(const Environment& a, const Environment& b) {
  Environment both;
  for (const EnvVar& variable : a.variables()) {
    const std::string* other = b.find(variable.name);
    if (other != nullptr && *other == variable.value) both.set(variable.name, variable.value);
  }
  return both;
}

std::string commandLines(const TrainingCommand& command, const char* indent) {
  std::string words;
  for (const std::string& word : command.arguments) words += (words.empty() ? "" : " ") + quoteShell(word);
  return fmt::format("{0}LOCKSTEP_ENTRY={1}\n{0}LOCKSTEP_ARGUMENTS=({2})\n", indent,
                     quoteShell(command.entry), words);
}

std::string branch(const char* pattern, const TrainingCommand& command, const Environment& environment,
                   const Environment& shared, SecretStore& secrets) {
  return fmt::format("    {})\n{}      LOCKSTEP_ENVIRONMENT+=(\n{}      )\n      ;;\n", pattern,
                     commandLines(command, "      "),
                     environmentWords(environment, &shared, secrets, "        "));
}

std::string clusterScript(const RankedCluster& cluster, SecretStore& secrets) {
  const auto ranks = cluster.ranksPerNode();
  const Environment shared = common(cluster.mainEnvironment, cluster.workerEnvironment);
  std::string text = fmt::format(
      "# shellcheck shell=bash disable=SC1003,SC2016,SC2034,SC2191\n"
      "# What the train.yaml says; run-node.sh reads it.\n"
      "LOCKSTEP_NAME={}\nLOCKSTEP_NODES={}\nLOCKSTEP_RANKS_PER_NODE={}\nLOCKSTEP_MASTER_PORT={}\n"
      "LOCKSTEP_CODE_DIR={}\nLOCKSTEP_RDMA={}\n\n",
      cluster.view.label, cluster.nodes(), ranks ? std::to_string(*ranks) : "''",
      quoteShell(cluster.masterPort), quoteShell(cluster.main.codeDir), cluster.view.hasRdma ? "yes" : "no");
  text +=
      "# What node $1 (0: main) runs, and its environment as NAME=value.\n"
      "lockstep_node() {\n  LOCKSTEP_ENVIRONMENT=(\n" +
      environmentWords(shared, nullptr, secrets, "    ") + "  )\n  case $1 in\n" +
      branch("0", cluster.main, cluster.mainEnvironment, shared, secrets);
  if (cluster.hasWorkers()) text += branch("*", cluster.worker, cluster.workerEnvironment, shared, secrets);
  return text + "  esac\n}\n";
}

void addNotes(RankedCluster& cluster, const ExportInput& input) {
  const ClusterView& view = cluster.view;
  auto& notes = cluster.notes;
  if (view.nodes.size() > static_cast<std::size_t>(cluster.nodes()))
    notes.push_back("Parameter servers have no rank: they are left out.");
  if (!view.gpusAreKnown)
    notes.push_back(fmt::format("The shape '{}' does not tell how many GPUs a node has: say so with --ranks.",
                                view.shapeName));
  const auto& runtime = input.document.spec().runtimeType;
  if ((runtime && !runtime->empty()) || (input.document.spec().job && input.document.spec().job->git))
    notes.push_back("The code is not fetched: put it where the nodes find it.");
  if (cluster.mainEnvironment.find("NCCL_SOCKET_IFRAME") != nullptr)
    notes.push_back("NCCL_SOCKET_IFRAME is a misspelling that NCCL ignores; NCCL_SOCKET_IFNAME is set.");
}

}  // namespace

std::optional<int> RankedCluster::ranksPerNode() const {
  if (!view.gpusAreKnown) return std::nullopt;
  return std::max(1, view.gpusPerNode);
}

std::string RankedCluster::ranksText() const {
  const auto ranks = ranksPerNode();
  if (!ranks) return ", one rank for each GPU";
  return fmt::format(", {} {} on each", *ranks, *ranks == 1 ? "rank" : "ranks");
}

Result<RankedCluster> rankedCluster(const ExportInput& input, std::string_view form) {
  const ClusterSpec& spec = input.document.spec();
  if (spec.framework != Framework::PyTorch && !isJobForRanks(spec))
    return failure(noSuchForm(spec, form, "use --to compose, or kind: PYTORCH"));
  auto view = clusterView(input);
  if (!view) return failure(view.error());
  RankedCluster cluster;
  cluster.view = *std::move(view);
  const ExportNode& main = cluster.view.nodes.front();
  const ExportNode* worker = firstWorker(cluster.view);
  auto command = commandOf(input, main, form);
  auto workerCommand = commandOf(input, worker == nullptr ? main : *worker, form);
  if (!command) return failure(command.error());
  if (!workerCommand) return failure(workerCommand.error());
  cluster.main = *std::move(command);
  cluster.worker = *std::move(workerCommand);
  cluster.mainEnvironment = withoutLauncher(main.environment);
  cluster.workerEnvironment = withoutLauncher((worker == nullptr ? main : *worker).environment);
  const std::string* port = main.environment.find("MASTER_PORT");
  if (port != nullptr && !port->empty() && port->find_first_not_of("0123456789") == std::string::npos)
    cluster.masterPort = *port;
  addNotes(cluster, input);
  return cluster;
}

void addNodeScripts(const RankedCluster& cluster, SecretStore& secrets, ExportBundle& bundle) {
  bundle.files.push_back({"run-node.sh", exportTemplate("node/run-node.sh"), true});
  bundle.files.push_back({"cluster.sh", clusterScript(cluster, secrets)});
}

std::vector<std::string> entryWords(const TrainingCommand& command) {
  std::vector<std::string> words;
  const bool plainProgram = !command.isPython() && command.entry.find('/') == std::string::npos;
  if (!command.isPython()) words.emplace_back("--no_python");
  words.push_back(plainProgram ? command.entry : command.path());
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  return words;
}

}  // namespace lockstep
