// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/job_runtime.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr std::string_view kScheme = "oci://";

void assignIfGiven(Environment& env, const char* name, const std::optional<std::string>& value) {
  if (value && !value->empty()) env.set(name, *value);
}

/// oci://bucket@namespace/object.
void assignPublishedConda(Environment& env, const CondaSpec& conda) {
  std::string_view rest = conda.uri ? std::string_view(*conda.uri) : std::string_view();
  if (rest.starts_with(kScheme)) rest.remove_prefix(kScheme.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::size_t at = std::min(rest.find('@'), slash);
  if (at < slash) env.set("CONDA_ENV_NAMESPACE", std::string(rest.substr(at + 1, slash - at - 1)));
  env.set("CONDA_ENV_BUCKET", std::string(rest.substr(0, at)));
  if (slash < rest.size()) env.set("CONDA_ENV_OBJECT_NAME", std::string(rest.substr(slash + 1)));
  assignIfGiven(env, "CONDA_ENV_REGION", conda.region);
}

void assignConda(Environment& env, const CondaSpec& conda) {
  assignIfGiven(env, "CONDA_ENV_TYPE", conda.type);
  if (conda.type == "published")
    assignPublishedConda(env, conda);
  else
    assignIfGiven(env, "CONDA_ENV_SLUG", conda.slug);
}

std::string baseName(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string colonJoined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ":") + parts[i];
  return text;
}

void assignCode(Environment& env, const JobSpec& job) {
  if (job.entryPoint && !job.entryPoint->empty())
    env.set("CODE_ENTRYPOINT", *job.entryPoint);
  else if (job.scriptPathUri && !job.scriptPathUri->empty())
    env.set("CODE_ENTRYPOINT", baseName(*job.scriptPathUri));
  assignIfGiven(env, "ENTRY_FUNCTION", job.entryFunction);
  assignIfGiven(env, "PYTHON_PATH", colonJoined(job.pythonPath));
  assignIfGiven(env, "OUTPUT_DIR", job.outputDir);
  assignIfGiven(env, "OUTPUT_URI", job.outputUri);
  assignIfGiven(env, "WORKING_DIR", job.workingDir);
  assignIfGiven(env, "OCI__LAUNCH_CMD", job.command);
  env.set("JOB_RUN_ENTRYPOINT", "driver_pytorch.py");
}

void assignSources(Environment& env, const JobSpec& job) {
  if (!job.inputs.empty()) env.set("OCI__INPUT_MAPPINGS", pythonJson(job.inputs));
  if (job.git) {
    assignIfGiven(env, "OCI__RUNTIME_URI", job.git->url);
    assignIfGiven(env, "OCI__RUNTIME_GIT_BRANCH", job.git->branch);
    assignIfGiven(env, "OCI__RUNTIME_GIT_COMMIT", job.git->commit);
    assignIfGiven(env, "OCI__RUNTIME_GIT_SECRET_ID", job.git->secretId);
  }
  assignIfGiven(env, "OCI__PIP_PKG", job.pipPackages);
  assignIfGiven(env, "OCI__PIP_REQUIREMENTS", job.pipRequirements);
  if (job.deepspeed) env.set("OCI__DEEPSPEED", "1");
}

}  // namespace

Environment jobRuntimeEnvironment(const ClusterSpec& spec) {
  const JobSpec& job = *spec.job;
  const std::string nodes = std::to_string(std::max(1LL, job.replicas.value_or(1)));
  Environment env(spec.runtimeEnv);
  if (job.isContainer()) {
    if (job.replicas) env.set("NODE_COUNT", nodes);
    return env;
  }
  if (job.conda) assignConda(env, *job.conda);
  assignCode(env, job);
  env.set("NODE_COUNT", nodes);
  assignSources(env, job);
  return env;
}

std::string pythonJson(const std::vector<std::pair<std::string, std::string>>& pairs) {
  // Members in Python's order: a name given twice keeps its first place and its last value.
  std::vector<EnvVar> variables;
  for (const auto& [name, value] : pairs) variables.push_back({name, value});
  std::string text;
  const Environment unique(variables);
  for (const EnvVar& member : unique.variables()) {
    if (!text.empty()) text += ", ";
    for (const std::string* part : {&member.name, &member.value}) {
      text += nlohmann::json(*part).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
      if (part == &member.name) text += ": ";
    }
  }
  return "{" + text + "}";
}

}  // namespace lockstep
