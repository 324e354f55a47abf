// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

struct PortRange {
  int first = 0, last = 0;
  [[nodiscard]] int size() const { return last - first + 1; }
};

std::optional<int> portOf(std::string_view text) {
  int port = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || stop != text.data() + text.size() || port < 0 || port > 65535)
    return std::nullopt;
  return port;
}

/// "8700:8800" or "8700".
std::optional<PortRange> rangeOf(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto first = portOf(text.substr(0, colon));
  const auto last = colon == std::string_view::npos ? first : portOf(text.substr(colon + 1));
  if (!first || !last) return std::nullopt;
  return PortRange{*first, *last};
}

/// The value of an option in start options, which may be "--port 8786", "--port=8786" or two items.
std::optional<std::string> optionIn(const std::vector<std::string>& options, std::string_view name) {
  std::string joined;
  for (const std::string& option : options) joined += option + ' ';
  std::optional<std::string> value;
  for (std::size_t at = joined.find(name); at != std::string::npos; at = joined.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && joined[at - 1] != ' ') || end >= joined.size()) continue;
    if (joined[end] != ' ' && joined[end] != '=') continue;
    const std::size_t begin = joined.find_first_not_of(" =", end);
    if (begin == std::string::npos) return value;
    value = joined.substr(begin, joined.find(' ', begin) - begin);  // the last one counts
  }
  return value;
}

/// Role options replace those of the cluster (ads-contract 2.3).
const std::vector<std::string>& optionsOf(const CheckContext& c, const std::optional<RoleSpec>& role) {
  return role && !role->startOptions.empty() ? role->startOptions : c.spec.clusterStartOptions;
}

FieldPath optionsPath(const std::optional<RoleSpec>& role, const char* key) {
  const FieldPath owner =
      role && !role->startOptions.empty() ? field::cluster().child(key) : field::cluster();
  return owner.child("config").child("startOptions");
}

/// The workers look for the scheduler at SCHEDULER_PORT, 8786 when it is not set (ads-contract 4.3).
void checkSchedulerPort(const CheckContext& c) {
  const std::string option = optionIn(optionsOf(c, c.spec.main), "--port").value_or("8786");
  const auto seen = c.env.seenBy(NodeRole::Worker, "SCHEDULER_PORT");
  const std::string variable = seen ? seen->variable->value : "8786";
  if (option == variable || variable.find('$') != std::string::npos || !portOf(option)) return;
  c.issues.warning("scheduler-port",
                   seen ? seen->list->valueOf(*seen->variable) : optionsPath(c.spec.main, "main"),
                   fmt::format("the scheduler listens on port {}, but the workers look for it at {} "
                               "(SCHEDULER_PORT)",
                               option, variable),
                   "set SCHEDULER_PORT to the scheduler's --port");
  if (seen)
    c.issues.fix("set SCHEDULER_PORT to " + option,
                 {{Kind::Set, seen->list->valueOf(*seen->variable), option}});
  else
    c.issues.fix("add SCHEDULER_PORT " + option,
                 {{Kind::AppendEnv, field::runtime().child("env"), "SCHEDULER_PORT=" + option}});
}

/// Each worker process of a node needs a port of its own in the range.
void checkWorkerRange(const CheckContext& c, const char* option) {
  const auto text = optionIn(optionsOf(c, c.spec.worker), option);
  if (!text || text->find('$') != std::string::npos) return;
  const FieldPath path = optionsPath(c.spec.worker, "worker");
  const auto range = rangeOf(*text);
  if (!range || range->last < range->first) {
    c.issues.warning("port-range", path,
                     fmt::format("{} is {}, which is no range of ports", option, shown(*text)),
                     "write FIRST:LAST, such as 8700:8800");
    return;
  }
  const auto processes = portOf(c.env.valueFor(NodeRole::Worker, "nprocs").value_or("1"));
  if (range->first == 0 || !processes || range->size() >= *processes) return;
  c.issues.warning("port-range", path,
                   fmt::format("{} has room for {} worker processes, but nprocs asks for {} on each node",
                               option, range->size(), *processes),
                   "make the range larger");
}

void checkRangesApart(const CheckContext& c) {
  const auto& options = optionsOf(c, c.spec.worker);
  const auto worker = rangeOf(optionIn(options, "--worker-port").value_or(""));
  const auto nanny = rangeOf(optionIn(options, "--nanny-port").value_or(""));
  if (!worker || !nanny || worker->first == 0 || nanny->first == 0) return;
  if (worker->last < nanny->first || nanny->last < worker->first) return;
  c.issues.warning("port-range", optionsPath(c.spec.worker, "worker"),
                   "--worker-port and --nanny-port share ports, and each can be used once on a node",
                   "give them ranges apart from each other");
}

void checkDask(const CheckContext& c) {
  checkSchedulerPort(c);
  if (!c.spec.worker) return;
  checkWorkerRange(c, "--worker-port");
  checkWorkerRange(c, "--nanny-port");
  checkRangesApart(c);
}

/// A port that all nodes have to agree on, set for some of them only.
void checkAgreed(const CheckContext& c, const FrameworkPort& port) {
  if (!c.spec.worker) return;
  const auto main = c.env.seenBy(NodeRole::Main, port.variable);
  const auto worker = c.env.seenBy(NodeRole::Worker, port.variable);
  const std::string mainPort = main ? main->variable->value : std::string(port.number);
  const std::string workerPort = worker ? worker->variable->value : std::string(port.number);
  if (mainPort == workerPort) return;
  const auto& seen = worker ? worker : main;
  c.issues.warning("port-mismatch", seen->list->valueOf(*seen->variable),
                   fmt::format("{} is {} on the main node and {} on the workers, but {}", port.variable,
                               mainPort, workerPort, port.whyAgreed),
                   fmt::format("set {} once, in spec.cluster.spec.config.env", port.variable));
}

/// sshd and the launch of the processes cannot have the system's own port.
void checkReserved(const CheckContext& c, std::string_view name, int port, const char* why) {
  const auto seen = c.env.seenBy(NodeRole::Worker, name);
  if (!seen || portOf(seen->variable->value) != port) return;
  c.issues.warning("port-reserved", seen->list->valueOf(*seen->variable),
                   fmt::format("{} is {}, {}", name, port, why), "use another one, such as 12345");
}

}  // namespace

void checkPorts(const CheckContext& context) {
  for (const FrameworkPort& port : traitsOf(context.spec.framework).ports) {
    if (!port.whyAgreed.empty()) checkAgreed(context, port);
    if (port.isSshd)
      checkReserved(context, port.variable, 22, "which the machine's own sshd may have already");
  }
  if (context.spec.framework == Framework::Dask) checkDask(context);
}

}  // namespace lockstep
