// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/run_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text/line_difference.h"
#include "cluster/document/cluster_document.h"
#include "cluster/document/script_arguments.h"
#include "export/secrets.h"

namespace lockstep {
namespace {

using Value = std::pair<std::string, std::string>;
using Values = std::vector<Value>;

/// What stands alone is told apart by its place, what is there twice by its number.
Values argumentsOf(const ClusterDocument& document) {
  Values values;
  std::map<std::string, int> seen;
  for (const ScriptArgument& argument : scriptArguments(document)) {
    const std::string name = argument.name.empty() ? "argument" : argument.name;
    const int number = ++seen[name];
    const bool isNumbered = number > 1 || argument.name.empty();
    values.emplace_back(isNumbered ? fmt::format("{} {}", name, number) : name,
                        argument.name.empty() || !argument.value.empty() ? argument.value : "(set)");
  }
  return values;
}

void addVariables(const std::vector<EnvVar>& variables, const char* of, Values& to) {
  for (const EnvVar& variable : variables) {
    const std::string name = *of == '\0' ? variable.name : fmt::format("{} ({})", variable.name, of);
    // Of secrets only their being the same is told: a mark that differs where they do.
    to.emplace_back(name, isSecret(variable) ? "\x01" + variable.value : variable.value);
  }
}

Values variablesOf(const ClusterSpec& spec) {
  Values values;
  addVariables(spec.clusterEnv, "", values);
  addVariables(spec.runtimeEnv, "runtime", values);
  if (spec.main) addVariables(spec.main->env, "main", values);
  if (spec.worker) addVariables(spec.worker->env, "worker", values);
  if (spec.parameterServer) addVariables(spec.parameterServer->env, "ps", values);
  return values;
}

Values codeOf(const ComparedRun& run) {
  Values values;
  if (!run.run.code.isKnown()) return values;
  values.emplace_back("commit", run.run.code.commit);
  if (!run.run.code.branch.empty()) values.emplace_back("branch", run.run.code.branch);
  if (run.run.code.isDirty) {
    const auto lines = std::count(run.codeDifference.begin(), run.codeDifference.end(), '\n');
    const std::size_t mark = std::hash<std::string>{}(run.codeDifference);
    values.emplace_back("difference from the commit",
                        run.codeDifference.empty()
                            ? std::string("not kept")
                            : fmt::format("{} lines, {:08x}", lines, static_cast<std::uint32_t>(mark)));
  }
  if (run.run.code.untracked > 0)
    values.emplace_back("files that git does not follow", std::to_string(run.run.code.untracked));
  return values;
}

Values clusterOf(const ComparedRun& run, const ClusterSpec& spec) {
  Values values;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) values.emplace_back(name, value);
  };
  int nodes = 0;
  for (const NodeRun& node : run.run.nodes) nodes += std::max(node.nodes, 1);
  add("nodes", std::to_string(nodes));
  add("shape", spec.infrastructure.shapeName.value_or(""));
  add("kind", spec.clusterKind);
  add("entry point", spec.entryPoint.value_or(""));
  add("work dir", run.run.workDir);
  add("profile", run.run.profile);
  add("backend", run.run.backend);
  return values;
}

std::string imageOf(const ComparedRun& run, const ClusterSpec& spec) {
  return run.run.image.empty() ? spec.image.value_or("") : run.run.image;
}

bool areSame(const std::vector<std::optional<std::string>>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](const auto& value) { return value == values.front(); });
}

/// Secrets are shown as letters: the same letter, the same value.
void hideSecrets(std::vector<std::optional<std::string>>& values) {
  std::vector<std::string> known;
  for (auto& value : values) {
    if (!value || !value->starts_with('\x01')) continue;
    auto at = std::find(known.begin(), known.end(), *value);
    if (at == known.end()) at = known.insert(known.end(), *value);
    value = fmt::format("(secret {})", static_cast<char>('A' + (at - known.begin()) % 26));
  }
}

void addRows(DifferenceArea area, const std::vector<Values>& ofRuns, std::vector<DifferenceRow>& rows) {
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> byName(ofRuns.size());
  for (std::size_t run = 0; run < ofRuns.size(); ++run)
    for (const auto& [name, value] : ofRuns[run]) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      byName[run][name] = value;  // the last of a name counts
    }
  for (const std::string& name : names) {
    DifferenceRow row{area, name, {}};
    for (const auto& values : byName) {
      const auto at = values.find(name);
      row.values.push_back(at == values.end() ? std::nullopt : std::optional(at->second));
    }
    if (areSame(row.values)) continue;
    hideSecrets(row.values);
    rows.push_back(std::move(row));
  }
}

}  // namespace

const char* toString(DifferenceArea area) {
  switch (area) {
    case DifferenceArea::Arguments:
      return "arguments";
    case DifferenceArea::Environment:
      return "environment";
    case DifferenceArea::Image:
      return "image";
    case DifferenceArea::Code:
      return "code";
    case DifferenceArea::Cluster:
      return "cluster";
  }
  return "";
}

std::vector<DifferenceRow> differencesOf(const std::vector<ComparedRun>& runs) {
  std::vector<Values> arguments, variables, images, code, clusters;
  for (const ComparedRun& run : runs) {
    const ClusterDocument document(run.run.trainYaml);
    const ClusterSpec& spec = document.spec();
    arguments.push_back(argumentsOf(document));
    variables.push_back(variablesOf(spec));
    const std::string image = imageOf(run, spec);
    images.push_back(image.empty() ? Values{} : Values{{"image", image}});
    code.push_back(codeOf(run));
    clusters.push_back(clusterOf(run, spec));
  }
  std::vector<DifferenceRow> rows;
  addRows(DifferenceArea::Arguments, arguments, rows);
  addRows(DifferenceArea::Environment, variables, rows);
  addRows(DifferenceArea::Image, images, rows);
  addRows(DifferenceArea::Code, code, rows);
  addRows(DifferenceArea::Cluster, clusters, rows);
  return rows;
}

std::string trainYamlDifference(const ComparedRun& from, const ComparedRun& to) {
  return unifiedDifference(from.run.trainYaml, to.run.trainYaml, from.run.id.value + "/train.yaml",
                           to.run.id.value + "/train.yaml");
}

}  // namespace lockstep
