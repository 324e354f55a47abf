// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/job_environment.h"

#include <string>

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// Later assignments replace the value and keep the first position.
void assign(Json& environment, const std::vector<EnvVar>& variables) {
  for (const EnvVar& variable : variables) environment[variable.name] = variable.value;
}

/// Joined with one blank and stripped, as Python does it.
std::string joined(const std::vector<std::string>& options) {
  std::string text;
  for (const std::string& option : options)
    text += (text.empty() && &option == &options.front() ? "" : " ") + option;
  constexpr const char* kBlank = " \t\n\r\v\f";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

void assignGenerated(Json& env, const ClusterSpec& spec) {
  env["OCI__WORK_DIR"] = spec.workDir.value_or("None");
  env["OCI__EPHEMERAL"] = spec.ephemeral.value_or("None");
  env["OCI__CLUSTER_TYPE"] = upperCased(spec.clusterKind);
  env["OCI__WORKER_COUNT"] = std::to_string(nodeCount(spec, NodeRole::Worker));
  if (spec.parameterServer) env["OCI__PS_COUNT"] = std::to_string(nodeCount(spec, NodeRole::ParameterServer));
  env["OCI__START_ARGS"] = joined(spec.clusterStartOptions);
  env["OCI__ENTRY_SCRIPT"] = spec.entryPoint.value_or("None");
}

void assignIfGiven(Json& env, const char* name, const std::optional<std::string>& value) {
  if (value && !value->empty()) env[name] = *value;
}

/// Where the code comes from; only with a runtime type.
void assignSource(Json& env, const ClusterSpec& spec) {
  if (!spec.runtimeType || spec.runtimeType->empty()) return;
  env["OCI__RUNTIME_TYPE"] = *spec.runtimeType;
  assignIfGiven(env, "OCI__RUNTIME_URI", spec.uri);
  assignIfGiven(env, "OCI__RUNTIME_GIT_BRANCH", spec.branch);
  assignIfGiven(env, "OCI__RUNTIME_GIT_COMMIT", spec.commit);
  assignIfGiven(env, "OCI__RUNTIME_GIT_SECRET_ID", spec.gitSecretId);
  assignIfGiven(env, "OCI__CODE_DIR", spec.codeDir);
  assignIfGiven(env, "OCI__RUNTIME_PYTHON_PATH", spec.pythonPath);
}

void assignCertificate(Json& env, const ClusterSpec& spec) {
  if (!spec.certificate || !spec.certificate->id || !spec.certificate->authorityId) return;
  env["OCI__CERTIFICATE_OCID"] = *spec.certificate->id;
  env["OCI__CERTIFICATE_KEY_DOWNLOAD_LOCATION"] = spec.certificate->keyLocation.value_or("key.pem");
  env["OCI__CERTIFICATE_DOWNLOAD_LOCATION"] = spec.certificate->location.value_or("cert.pem");
  env["OCI__CERTIFICATE_AUTHORITY_OCID"] = *spec.certificate->authorityId;
  env["OCI__CA_DOWNLOAD_LOCATION"] = spec.certificate->authorityLocation.value_or("ca-cert.pem");
}

const RoleSpec* roleOf(const ClusterSpec& spec, NodeRole role) {
  const auto& given = role == NodeRole::Main     ? spec.main
                      : role == NodeRole::Worker ? spec.worker
                                                 : spec.parameterServer;
  return given ? &*given : nullptr;
}

}  // namespace

Json jobEnvironment(const ClusterSpec& spec) {
  Json env = Json::object();
  assign(env, spec.clusterEnv);
  assignGenerated(env, spec);
  assignSource(env, spec);
  assignIfGiven(env, "OCI__ENTRY_SCRIPT_ARGS", spec.argsText);
  assignIfGiven(env, "OCI__ENTRY_SCRIPT_KWARGS", spec.kwargsText);
  assign(env, spec.runtimeEnv);
  assignCertificate(env, spec);
  return env;
}

Json runEnvironment(const ClusterSpec& spec, NodeRole role, long long index) {
  Json env = Json::object();
  if (const RoleSpec* given = roleOf(spec, role)) {
    assign(env, given->env);
    const std::string options = joined(given->startOptions);
    if (!options.empty()) env["OCI__START_ARGS"] = options;
  }
  env["OCI__MODE"] = role == NodeRole::Main ? "MAIN" : role == NodeRole::Worker ? "WORKER" : "PS";
  if (role != NodeRole::ParameterServer) env["RANK"] = std::to_string(role == NodeRole::Main ? 0 : index + 1);
  return env;
}

}  // namespace lockstep
