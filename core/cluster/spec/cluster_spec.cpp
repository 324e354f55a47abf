// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/cluster_spec.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

long long nodesOf(const std::optional<RoleSpec>& role) {
  if (!role) return 0;
  return role->replicas.value_or(0) == 0 ? 1 : *role->replicas;
}

}  // namespace

long long nodeCount(const ClusterSpec& spec, NodeRole role) {
  switch (role) {
    case NodeRole::Main:
      return 1;
    case NodeRole::Worker:
      return nodesOf(spec.worker);
    case NodeRole::ParameterServer:
      return nodesOf(spec.parameterServer);
  }
  return 0;
}

bool isMultiNode(const ClusterSpec& spec) {
  return spec.multiNode || (spec.job && spec.job->replicas.value_or(1) > 1);
}

Framework frameworkNamed(const std::string& clusterKind) {
  static constexpr std::array<std::pair<const char*, Framework>, 5> kNames{
      {{"PYTORCH", Framework::PyTorch},
       {"DASK", Framework::Dask},
       {"HOROVOD", Framework::Horovod},
       {"TENSORFLOW", Framework::TensorFlow},
       {"RAY", Framework::Ray}}};
  const std::string upper = upperCased(clusterKind);
  for (const auto& [name, framework] : kNames) {
    if (upper == name) return framework;
  }
  return Framework::Unknown;
}

std::string upperCased(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

}  // namespace lockstep
