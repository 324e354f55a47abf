// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/world_size.h"

#include <fmt/format.h>

#include <charconv>

#include "cluster/reading/shape_catalogue.h"
#include "plan/job_body.h"
#include "plan/job_environment.h"
#include "plan/node_details.h"
#include "plan/node_groups.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

std::optional<int> wholeNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The third part of the name between dots, when it is a number: how the container of Horovod reads a shape.
std::optional<int> numberInThirdPart(std::string_view shape) {
  for (int dots = 0; dots < 2; ++dots) {
    const std::size_t dot = shape.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    shape.remove_prefix(dot + 1);
  }
  return wholeNumber(shape.substr(0, shape.find('.')));
}

std::optional<int> horovodSlots(const ClusterSpec& spec, NodeRole role) {
  const std::string shape = shapeNameOf(spec, role);
  std::optional<int> slots = numberInThirdPart(shape);
  if (!slots) {
    slots = gpusOfShape(shape);
    if (slots == 0) slots.reset();  // as many as the node has CPUs, which only the node knows
  }
  const auto max = wholeNumber(variableOf(spec, role, "SLOTS"));
  if (max && slots) return std::min(*slots, *max);
  if (max == 1) return 1;
  return slots;
}

NodeWork workOf(const ClusterSpec& spec) {
  return traitsOf(spec.framework).work;
}

bool hasRanks(const ClusterSpec& spec, NodeRole role) {
  if (role == NodeRole::ParameterServer) return false;
  return workOf(spec) == NodeWork::Ranks || workOf(spec) == NodeWork::Slots;
}

std::string counted(long long count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// "1 main + 2 workers": the nodes that may have ranks.
std::string mainAndWorkers(const ClusterSpec& spec) {
  const long long workers = nodeCount(spec, NodeRole::Worker);
  if (spec.job) return counted(workers + 1, "node");
  std::string text =
      workOf(spec) == NodeWork::Tasks ? fmt::format("1 {}", traitsOf(spec.framework).mainWord) : "1 main";
  if (workers > 0) text += " + " + counted(workers, "worker");
  return text;
}

std::string allNodes(const ClusterSpec& spec) {
  const long long servers = nodeCount(spec, NodeRole::ParameterServer);
  return mainAndWorkers(spec) + (servers > 0 ? " + " + counted(servers, "parameter server") : "");
}

std::string shapeText(const ClusterSpec& spec, NodeRole role) {
  const std::string shape = shapeNameOf(spec, role);
  return shape.empty() ? "a shape that is not given yet" : shape;
}

std::string perNodeText(const ClusterSpec& spec, NodeRole role, int ranks) {
  const std::string shape = shapeText(spec, role);
  if (workOf(spec) == NodeWork::Slots)
    return fmt::format("{} slot{} of {}", ranks, ranks == 1 ? "" : "s", shape);
  if (gpusOfShape(shape) == 0) return fmt::format("1 process, as {} has no GPU", shape);
  return fmt::format("{} GPU{} of {}", ranks, ranks == 1 ? "" : "s", shape);
}

/// Of Horovod: how many processes there must be before it starts.
std::string startText(const ClusterSpec& spec) {
  if (workOf(spec) != NodeWork::Slots) return {};
  std::string min = variableOf(spec, NodeRole::Main, "NP");
  if (min.empty()) min = variableOf(spec, NodeRole::Main, "MIN_NP");
  return fmt::format("; starts with {} (NP)", min.empty() ? "1" : min);
}

/// When main and workers have the same number each.
std::string productText(const ClusterSpec& spec, const WorldSize& world) {
  const std::string nodes = mainAndWorkers(spec);
  const bool isSum = nodes.find('+') != std::string::npos;
  return fmt::format("{} × {}", isSum ? "(" + nodes + ")" : nodes,
                     perNodeText(spec, NodeRole::Main, *world.ranksPerNode));
}

std::string sumText(const ClusterSpec& spec, int main, int worker) {
  const long long workers = nodeCount(spec, NodeRole::Worker);
  return fmt::format("1 main × {} + {} worker{} × {}", perNodeText(spec, NodeRole::Main, main), workers,
                     workers == 1 ? "" : "s", perNodeText(spec, NodeRole::Worker, worker));
}

std::string extraText(const ClusterSpec& spec) {
  const long long servers = nodeCount(spec, NodeRole::ParameterServer);
  if (servers == 0) return {};
  return fmt::format("; {} parameter server{} beside", servers, servers == 1 ? "" : "s");
}

std::string textWithoutRanks(const ClusterSpec& spec, const WorldSize& world) {
  const std::string count = counted(world.nodes, "node");
  if (spec.job) return count;
  const std::string sum = count + " = " + allNodes(spec);
  switch (workOf(spec)) {
    case NodeWork::Tasks:
      return sum + ", one task each";
    case NodeWork::Scheduled:
      return sum + "; the scheduler spreads the work, so there are no ranks";
    case NodeWork::Ranks:
    case NodeWork::Slots:
      return fmt::format("{}; how many ranks {} runs is known only on the node", sum,
                         shapeText(spec, NodeRole::Main));
    case NodeWork::Unknown:
      break;
  }
  return sum;
}

/// Horovod runs no more processes than MAX_NP, which the container raises to the number of nodes.
long long limited(const ClusterSpec& spec, long long ranks) {
  if (workOf(spec) != NodeWork::Slots) return ranks;
  const auto max = wholeNumber(variableOf(spec, NodeRole::Main, "MAX_NP"));
  const long long nodes = 1 + nodeCount(spec, NodeRole::Worker);
  return max ? std::min(ranks, std::max<long long>(*max, nodes)) : ranks;
}

}  // namespace

std::optional<int> ranksPerNodeOf(const std::string& shapeName) {
  const auto gpus = gpusOfShape(shapeName);
  return gpus ? std::optional<int>(std::max(1, *gpus)) : std::nullopt;
}

std::string variableOf(const ClusterSpec& spec, NodeRole role, const char* name) {
  const RoleSpec* own = spec.job ? nullptr : roleOf(spec, role);
  std::string value;
  const auto take = [&](const std::vector<EnvVar>& variables) {
    for (const EnvVar& variable : variables) {
      if (variable.name == name) value = variable.value;
    }
  };
  take(spec.clusterEnv);
  take(spec.runtimeEnv);
  if (own) take(own->env);
  return value;
}

std::optional<int> ranksOnNode(const ClusterSpec& spec, NodeRole role) {
  if (!hasRanks(spec, role)) return std::nullopt;
  if (workOf(spec) == NodeWork::Slots) return horovodSlots(spec, role);
  return ranksPerNodeOf(shapeNameOf(spec, role));
}

WorldSize worldSizeOf(const ClusterSpec& spec) {
  const long long workers = nodeCount(spec, NodeRole::Worker);
  WorldSize world;
  world.nodes = 1 + workers + nodeCount(spec, NodeRole::ParameterServer);
  const auto main = ranksOnNode(spec, NodeRole::Main);
  const auto worker = workers > 0 ? ranksOnNode(spec, NodeRole::Worker) : main;
  if (!main || !worker) {
    world.text = textWithoutRanks(spec, world);
    return world;
  }
  if (main == worker) world.ranksPerNode = main;
  const long long all = *main + workers * *worker;
  world.ranks = limited(spec, all);
  std::string sum = main == worker ? productText(spec, world) : sumText(spec, *main, *worker);
  if (*world.ranks < all) sum += fmt::format(", at most {} (MAX_NP)", *world.ranks);
  world.text = fmt::format("world size {} = {}{}{}", *world.ranks, sum, startText(spec), extraText(spec));
  return world;
}

}  // namespace lockstep
