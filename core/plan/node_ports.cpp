// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/node_ports.h"

#include "base/text/quote.h"

namespace lockstep {
namespace {

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

/// What the container listens on: where an option says it, a variable only tells the others.
std::string numberOf(const FrameworkPort& port, const Environment& environment) {
  std::string given;
  if (!port.option.empty())
    given = optionOf(environment, std::string(port.option));
  else if (const std::string* value = environment.find(port.variable))
    given = *value;
  return given.empty() ? std::string(port.number) : given;
}

std::vector<NodePort> portsOf(Framework framework, NodeRole role, const Environment& environment) {
  using Nodes = FrameworkPort::Nodes;
  const Nodes own = role == NodeRole::Main ? Nodes::Main : Nodes::Workers;
  std::vector<NodePort> ports;
  for (const FrameworkPort& port : traitsOf(framework).ports) {
    if (port.nodes != Nodes::All && port.nodes != own) continue;
    ports.push_back({numberOf(port, environment), std::string(port.title)});
  }
  return ports;
}

}  // namespace

std::vector<NodePort> portsOf(const ClusterSpec& spec, NodeRole role, const Environment& environment) {
  if (!spec.job || spec.job->isContainer()) return portsOf(spec.framework, role, environment);
  std::vector<NodePort> ports = portsOf(Framework::PyTorch, NodeRole::Worker, environment);
  if (role == NodeRole::Main) ports.insert(ports.begin(), {"29400", "rendezvous of torchrun"});
  if (spec.job->deepspeed) ports.push_back({"22", "SSH, for DeepSpeed"});
  return ports;
}

}  // namespace lockstep
