// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/node_ports.h"

#include "base/quote.h"

namespace lockstep {
namespace {

std::string valueOr(const Environment& environment, const char* name, const char* otherwise) {
  const std::string* value = environment.find(name);
  return value && !value->empty() ? *value : otherwise;
}

/// What follows an option among the start arguments, as "--port 8786" or "--port=8786".
std::string optionOf(const Environment& environment, const std::string& option) {
  const std::string* text = environment.find("OCI__START_ARGS");
  if (!text) return {};
  const std::vector<std::string> words = splitShell(*text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(option + "=")) return words[i].substr(option.size() + 1);
  }
  return {};
}

std::vector<NodePort> pyTorchPorts(NodeRole role, const Environment& environment) {
  std::vector<NodePort> ports;
  if (role == NodeRole::Main)
    ports.push_back({valueOr(environment, "MASTER_PORT", "29400"), "rendezvous (MASTER_PORT)"});
  ports.push_back({"any", "collectives: NCCL and Gloo choose ports of their own"});
  return ports;
}

std::string eitherOr(const std::string& given, const char* otherwise) {
  return given.empty() ? otherwise : given;
}

std::vector<NodePort> daskPorts(NodeRole role, const Environment& environment) {
  if (role == NodeRole::Main)
    return {{eitherOr(optionOf(environment, "--port"), "8786"), "scheduler (--port)"},
            {eitherOr(optionOf(environment, "--dashboard-address"), "8787"), "dashboard"}};
  return {{eitherOr(optionOf(environment, "--worker-port"), "any"), "worker (--worker-port)"},
          {eitherOr(optionOf(environment, "--nanny-port"), "any"), "nanny (--nanny-port)"}};
}

std::vector<NodePort> rayPorts(NodeRole role) {
  const NodePort others{"any", "object manager, node manager"};
  if (role == NodeRole::Main) return {{"3000", "head"}, others};
  return {{"8700:8800", "workers"}, others};
}

}  // namespace

std::vector<NodePort> portsOf(const ClusterSpec& spec, NodeRole role, const Environment& environment) {
  if (spec.job && !spec.job->isContainer()) {
    std::vector<NodePort> ports = pyTorchPorts(NodeRole::Worker, environment);
    if (role == NodeRole::Main) ports.insert(ports.begin(), {"29400", "rendezvous of torchrun"});
    if (spec.job->deepspeed) ports.push_back({"22", "SSH, for DeepSpeed"});
    return ports;
  }
  switch (spec.framework) {
    case Framework::PyTorch:
      return pyTorchPorts(role, environment);
    case Framework::Dask:
      return daskPorts(role, environment);
    case Framework::Horovod:
      return {{valueOr(environment, "WORKER_PORT", "12345"), "sshd (WORKER_PORT)"},
              {"any", "collectives and horovodrun choose ports of their own"}};
    case Framework::TensorFlow:
      return {{valueOr(environment, "WORKER_PORT", "12345"), "gRPC server (WORKER_PORT)"}};
    case Framework::Ray:
      return rayPorts(role);
    case Framework::Unknown:
      break;
  }
  return {};
}

}  // namespace lockstep
