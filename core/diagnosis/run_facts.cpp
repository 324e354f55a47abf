// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/run_facts.h"

#include "cluster/document/cluster_document.h"

namespace lockstep {
namespace {

void add(const std::vector<EnvVar>& variables, std::map<std::string, std::string>& environment) {
  for (const EnvVar& variable : variables) environment[variable.name] = variable.value;
}

std::map<std::string, std::string> environmentIn(const std::string& trainYaml) {
  const ClusterDocument document(trainYaml);
  const ClusterSpec& spec = document.spec();
  std::map<std::string, std::string> environment;
  add(spec.clusterEnv, environment);
  add(spec.runtimeEnv, environment);
  for (const auto& role : {spec.worker, spec.parameterServer, spec.main})
    if (role) add(role->env, environment);
  return environment;
}

}  // namespace

RunFacts runFactsOf(const TrainingRun& run) {
  RunFacts facts;
  facts.isEnvironmentKnown = !run.trainYaml.empty();
  if (facts.isEnvironmentKnown) facts.environment = environmentIn(run.trainYaml);
  return runFactsOf(run, std::move(facts));
}

RunFacts runFactsOf(const TrainingRun& run, RunFacts before) {
  const RunState state = stateOf(run);
  before.stage = !isTerminal(state)          ? RunStage::Running
                 : state == RunState::Failed ? RunStage::Failed
                                             : RunStage::Over;
  before.failure = run.failure;
  before.created = run.created;
  before.nodes = 0;
  for (const NodeRun& node : run.nodes) before.nodes += node.nodes;
  return before;
}

}  // namespace lockstep
