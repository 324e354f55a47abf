// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/spec/cluster_spec.h"

#include <algorithm>

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

std::string upperCased(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

}  // namespace lockstep
