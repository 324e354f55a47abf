// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/job_environment.h"

#include <string>

#include "base/text/trimmed.h"
#include "plan/job_runtime.h"

namespace lockstep {
namespace {

void assignGenerated(Environment& env, const ClusterSpec& spec) {
  env.set("OCI__WORK_DIR", spec.workDir.value_or("None"));
  env.set("OCI__EPHEMERAL", spec.ephemeral.value_or("None"));
  env.set("OCI__CLUSTER_TYPE", upperCased(spec.clusterKind));
  env.set("OCI__WORKER_COUNT", std::to_string(nodeCount(spec, NodeRole::Worker)));
  if (spec.parameterServer)
    env.set("OCI__PS_COUNT", std::to_string(nodeCount(spec, NodeRole::ParameterServer)));
  env.set("OCI__START_ARGS", startArguments(spec.clusterStartOptions));
  env.set("OCI__ENTRY_SCRIPT", spec.entryPoint.value_or("None"));
}

void assignIfGiven(Environment& env, const char* name, const std::optional<std::string>& value) {
  if (value && !value->empty()) env.set(name, *value);
}

/// Where the code comes from; only with a runtime type.
void assignSource(Environment& env, const ClusterSpec& spec) {
  if (!spec.runtimeType || spec.runtimeType->empty()) return;
  env.set("OCI__RUNTIME_TYPE", *spec.runtimeType);
  assignIfGiven(env, "OCI__RUNTIME_URI", spec.uri);
  assignIfGiven(env, "OCI__RUNTIME_GIT_BRANCH", spec.branch);
  assignIfGiven(env, "OCI__RUNTIME_GIT_COMMIT", spec.commit);
  assignIfGiven(env, "OCI__RUNTIME_GIT_SECRET_ID", spec.gitSecretId);
  assignIfGiven(env, "OCI__CODE_DIR", spec.codeDir);
  assignIfGiven(env, "OCI__RUNTIME_PYTHON_PATH", spec.pythonPath);
}

void assignCertificate(Environment& env, const ClusterSpec& spec) {
  if (!spec.certificate || !spec.certificate->id || !spec.certificate->authorityId) return;
  env.set("OCI__CERTIFICATE_OCID", *spec.certificate->id);
  env.set("OCI__CERTIFICATE_KEY_DOWNLOAD_LOCATION", spec.certificate->keyLocation.value_or("key.pem"));
  env.set("OCI__CERTIFICATE_DOWNLOAD_LOCATION", spec.certificate->location.value_or("cert.pem"));
  env.set("OCI__CERTIFICATE_AUTHORITY_OCID", *spec.certificate->authorityId);
  env.set("OCI__CA_DOWNLOAD_LOCATION", spec.certificate->authorityLocation.value_or("ca-cert.pem"));
}

}  // namespace

std::string startArguments(const std::vector<std::string>& options) {
  std::string text;
  for (std::size_t i = 0; i < options.size(); ++i) text += (i == 0 ? "" : " ") + options[i];
  return std::string(trimmed(text));
}

const RoleSpec* roleOf(const ClusterSpec& spec, NodeRole role) {
  const auto& given = role == NodeRole::Main     ? spec.main
                      : role == NodeRole::Worker ? spec.worker
                                                 : spec.parameterServer;
  return given ? &*given : nullptr;
}

Environment jobEnvironment(const ClusterSpec& spec) {
  if (spec.job) return jobRuntimeEnvironment(spec);
  Environment env(spec.clusterEnv);
  assignGenerated(env, spec);
  assignSource(env, spec);
  assignIfGiven(env, "OCI__ENTRY_SCRIPT_ARGS", spec.argsText);
  assignIfGiven(env, "OCI__ENTRY_SCRIPT_KWARGS", spec.kwargsText);
  env.set(spec.runtimeEnv);
  assignCertificate(env, spec);
  return env;
}

Environment runEnvironment(const ClusterSpec& spec, NodeRole role, long long index) {
  Environment env;
  if (const RoleSpec* given = roleOf(spec, role)) {
    env.set(given->env);
    const std::string options = startArguments(given->startOptions);
    if (!options.empty()) env.set("OCI__START_ARGS", options);
  }
  env.set("OCI__MODE", role == NodeRole::Main ? "MAIN" : role == NodeRole::Worker ? "WORKER" : "PS");
  if (role != NodeRole::ParameterServer)
    env.set("RANK", std::to_string(role == NodeRole::Main ? 0 : index + 1));
  return env;
}

}  // namespace lockstep
