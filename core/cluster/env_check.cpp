// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "cluster/check_parts.h"
#include "cluster/python_text.h"
#include "cluster/train_yaml.h"
#include "cluster/train_yaml_keys.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxEnvironment = 20'000;  // characters, names and values together

/// Variables that people set for distributed training: what a misspelt one may have meant.
const std::vector<std::string>& knownVariables() {
  static const std::vector<std::string> kNames{"NCCL_SOCKET_IFNAME",
                                               "NCCL_SOCKET_FAMILY",
                                               "NCCL_SOCKET_NTHREADS",
                                               "NCCL_NSOCKS_PERTHREAD",
                                               "NCCL_DEBUG",
                                               "NCCL_DEBUG_SUBSYS",
                                               "NCCL_DEBUG_FILE",
                                               "NCCL_IB_DISABLE",
                                               "NCCL_IB_HCA",
                                               "NCCL_IB_GID_INDEX",
                                               "NCCL_IB_TC",
                                               "NCCL_IB_SL",
                                               "NCCL_IB_QPS_PER_CONNECTION",
                                               "NCCL_IB_TIMEOUT",
                                               "NCCL_IB_RETRY_CNT",
                                               "NCCL_IB_CUDA_SUPPORT",
                                               "NCCL_P2P_DISABLE",
                                               "NCCL_P2P_LEVEL",
                                               "NCCL_SHM_DISABLE",
                                               "NCCL_NET",
                                               "NCCL_NET_PLUGIN",
                                               "NCCL_NET_GDR_LEVEL",
                                               "NCCL_CROSS_NIC",
                                               "NCCL_ALGO",
                                               "NCCL_PROTO",
                                               "NCCL_BUFFSIZE",
                                               "NCCL_NTHREADS",
                                               "NCCL_MIN_NCHANNELS",
                                               "NCCL_MAX_NCHANNELS",
                                               "NCCL_TOPO_FILE",
                                               "NCCL_TOPO_DUMP_FILE",
                                               "NCCL_BLOCKING_WAIT",
                                               "NCCL_ASYNC_ERROR_HANDLING",
                                               "NCCL_LAUNCH_MODE",
                                               "NCCL_COLLNET_ENABLE",
                                               "NCCL_IGNORE_CPU_AFFINITY",
                                               "NCCL_COMM_ID",
                                               "NCCL_CUMEM_ENABLE",
                                               "NCCL_IB_SPLIT_DATA_ON_QPS",
                                               "NCCL_IB_ADAPTIVE_ROUTING",
                                               "NCCL_TUNER_PLUGIN",
                                               "NCCL_NVLS_ENABLE",
                                               "NCCL_HOSTID",
                                               "TORCH_NCCL_ASYNC_ERROR_HANDLING",
                                               "TORCH_NCCL_BLOCKING_WAIT",
                                               "TORCH_NCCL_TRACE_BUFFER_SIZE",
                                               "TORCH_NCCL_DUMP_ON_TIMEOUT",
                                               "TORCH_DISTRIBUTED_DEBUG",
                                               "TORCH_CPP_LOG_LEVEL",
                                               "TORCH_SHOW_CPP_STACKTRACES",
                                               "GLOO_SOCKET_IFNAME",
                                               "OMP_NUM_THREADS",
                                               "MKL_NUM_THREADS",
                                               "MASTER_ADDR",
                                               "MASTER_PORT",
                                               "WORLD_SIZE",
                                               "LOCAL_RANK",
                                               "WORKSPACE",
                                               "WORKSPACE_PREFIX",
                                               "SYNC_ARTIFACTS",
                                               "WORKER_PORT",
                                               "SCHEDULER_PORT",
                                               "OCI__TIMEOUT",
                                               "OCI__RDZV_TIMEOUT",
                                               "OCI__CODE_DIR",
                                               "OCI__METRICS_NAMESPACE",
                                               "OCI__DEEPSPEED",
                                               "CUDA_VISIBLE_DEVICES",
                                               "PYTHONUNBUFFERED",
                                               "PYTHONPATH"};
  return kNames;
}

bool hasCheckedPrefix(const std::string& name) {
  for (const char* prefix : {"NCCL_", "TORCH_", "GLOO_", "OMP_", "MASTER_", "OCI__", "CUDA_VISIBLE"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

/// Set by the launch itself, whatever the file says.
const std::set<std::string>& generatedVariables() {
  static const std::set<std::string> kNames{"OCI__WORK_DIR",
                                            "OCI__EPHEMERAL",
                                            "OCI__CLUSTER_TYPE",
                                            "OCI__WORKER_COUNT",
                                            "OCI__PS_COUNT",
                                            "OCI__START_ARGS",
                                            "OCI__ENTRY_SCRIPT",
                                            "OCI__ENTRY_SCRIPT_ARGS",
                                            "OCI__ENTRY_SCRIPT_KWARGS",
                                            "OCI__RUNTIME_TYPE",
                                            "OCI__RUNTIME_URI",
                                            "OCI__RUNTIME_GIT_BRANCH",
                                            "OCI__RUNTIME_GIT_COMMIT",
                                            "OCI__RUNTIME_GIT_SECRET_ID",
                                            "OCI__RUNTIME_PYTHON_PATH"};
  return kNames;
}

enum class Scope { Cluster, Role, Runtime };

struct Variable {
  FieldPath path;
  std::string name;
  std::string value;
};

std::vector<Variable> variablesAt(const YamlTree& tree, const FieldPath& list) {
  std::vector<Variable> variables;
  const auto id = tree.find(list);
  if (!id) return variables;
  const YamlNode& node = tree.node(tree.resolved(*id));
  if (node.kind != NodeKind::Sequence) return variables;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const auto name = tree.valueOf(node.children[i], "name");
    const auto value = tree.valueOf(node.children[i], "value");
    if (name && value) variables.push_back({list.child(i), pythonStr(tree, *name), pythonStr(tree, *value)});
  }
  return variables;
}

void checkName(const Variable& v, IssueList& issues) {
  const bool bad = v.name.empty() || v.name.find_first_of("= \t\n\r") != std::string::npos;
  if (bad)
    issues.error("env-name", v.path.child("name"),
                 fmt::format("{} is no name of an environment variable", shown(v.name)),
                 "use letters, digits and _");
  if (v.name == "NCCL_ASYNC_ERROR_HANDLING")
    issues.warning("env-deprecated", v.path.child("name"),
                   "NCCL_ASYNC_ERROR_HANDLING is the old name; PyTorch 2.2 and later read "
                   "TORCH_NCCL_ASYNC_ERROR_HANDLING",
                   "use TORCH_NCCL_ASYNC_ERROR_HANDLING with PyTorch 2.2 or later");
  if (!hasCheckedPrefix(v.name) || generatedVariables().contains(v.name)) return;
  const auto& known = knownVariables();
  if (std::find(known.begin(), known.end(), v.name) != known.end()) return;
  const std::string meant = v.name.size() > 8 ? nearest(v.name, known) : "";
  // One or two letters off is a slip; more is a variable that the list does not have.
  if (meant.empty() || !isSlip(v.name, meant)) return;
  issues.warning("env-misspelt", v.path.child("name"),
                 fmt::format("nothing reads the variable {}", shown(v.name)), "did you mean " + meant + "?");
}

void checkPort(const Variable& v, IssueList& issues) {
  if (!v.name.ends_with("_PORT") || v.value.find('$') != std::string::npos) return;
  const bool digits =
      !v.value.empty() && v.value.size() <= 5 &&
      std::all_of(v.value.begin(), v.value.end(), [](char c) { return c >= '0' && c <= '9'; });
  const int port = digits ? std::stoi(v.value) : 0;
  if (port >= 1 && port <= 65535) return;
  issues.error("port", v.path.child("value"),
               fmt::format("{} is {}, which is no port", v.name, shown(v.value)),
               "give a number from 1 to 65535");
}

/// What a `$` that begins no proper reference does: `ads`, and so the plan, refuses it (ads-contract 2.4).
/// Run overrides are sent as they are.
void checkReference(const Variable& v, Scope scope, IssueList& issues) {
  if (scope == Scope::Role) return;
  for (std::size_t at = v.value.find('$'); at != std::string::npos && at + 1 < v.value.size();
       at = v.value.find('$', at)) {
    if (v.value[at + 1] != '{') {
      at += v.value[at + 1] == '$' ? 2 : 1;
      continue;
    }
    const std::size_t close = v.value.find('}', at);
    const std::string name = v.value.substr(at + 2, close == std::string::npos ? close : close - at - 2);
    if (close == std::string::npos || name.empty() || std::count(name.begin(), name.end(), ':') > 1) {
      issues.error("env-reference", v.path.child("value"),
                   fmt::format("{} is {}, and '${{' begins no reference to another variable there", v.name,
                               shown(v.value)),
                   "write ${NAME}, or $$ where you mean a dollar sign");
      return;
    }
    at = close + 1;
  }
}

void checkEffect(const Variable& v, Scope scope, IssueList& issues) {
  if (scope == Scope::Cluster && generatedVariables().contains(v.name)) {
    issues.warning(
        "env-overridden", v.path.child("name"),
        fmt::format("{} is set by the launch itself, so the value {} is lost", v.name, shown(v.value)),
        "remove it, or set it in spec.runtime.spec.env, which wins");
  } else if (v.name == "OCI__MODE" || v.name == "RANK") {
    issues.warning("env-overridden", v.path.child("name"),
                   fmt::format("{} is set for every node by the launch itself, so the value {} is lost",
                               v.name, shown(v.value)),
                   "remove it");
  } else if (scope == Scope::Runtime && generatedVariables().contains(v.name)) {
    issues.warning("env-overrides", v.path.child("name"),
                   fmt::format("{} replaces the value that follows from the rest of the file by {}", v.name,
                               shown(v.value)),
                   "remove it unless you mean that");
  }
}

void checkScope(const CheckContext& c, const FieldPath& list, Scope scope) {
  std::set<std::string> seen;
  for (const Variable& v : variablesAt(c.tree, list)) {
    checkName(v, c.issues);
    checkPort(v, c.issues);
    checkEffect(v, scope, c.issues);
    checkReference(v, scope, c.issues);
    if (!seen.insert(v.name).second)
      c.issues.warning(
          "env-duplicate", v.path.child("name"),
          fmt::format("{} is given twice in this list; the last value, {}, counts", v.name, shown(v.value)),
          "remove the other one");
  }
}

void addTo(std::map<std::string, std::size_t>& sizes, const std::vector<EnvVar>& variables) {
  for (const EnvVar& v : variables) sizes[v.name] = characterCount(v.value);
}

std::size_t total(const std::map<std::string, std::size_t>& sizes) {
  std::size_t sum = 0;
  for (const auto& [name, size] : sizes) sum += characterCount(name) + size;
  return sum;
}

void checkSize(const CheckContext& c) {
  std::map<std::string, std::size_t> common;
  addTo(common, c.spec.clusterEnv);
  common["OCI__WORK_DIR"] = c.spec.workDir.value_or("").size();
  common["OCI__ENTRY_SCRIPT_ARGS"] = characterCount(c.spec.argsText.value_or(""));
  common["OCI__ENTRY_SCRIPT_KWARGS"] = characterCount(c.spec.kwargsText.value_or(""));
  addTo(common, c.spec.runtimeEnv);
  std::size_t most = total(common);
  for (const auto* role : {&c.spec.main, &c.spec.worker, &c.spec.parameterServer}) {
    if (!*role) continue;
    auto all = common;
    addTo(all, (*role)->env);
    most = std::max(most, total(all));
  }
  if (most <= kMaxEnvironment) return;
  c.issues.error(
      "env-too-large", field::cluster().child("config").child("env"),
      fmt::format("the environment of a node has {} characters; the service takes {}", most, kMaxEnvironment),
      "put long values into a file in the image or the bucket");
}

}  // namespace

void checkEnvironment(const CheckContext& context) {
  const FieldPath cluster = field::cluster();
  checkScope(context, cluster.child("config").child("env"), Scope::Cluster);
  for (const char* role : {"main", "worker", "ps"})
    checkScope(context, cluster.child(role).child("config").child("env"), Scope::Role);
  checkScope(context, field::runtime().child("env"), Scope::Runtime);
  checkSize(context);
}

}  // namespace lockstep
