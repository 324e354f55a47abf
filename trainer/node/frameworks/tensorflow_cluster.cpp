// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/frameworks/tensorflow_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json_fields.h"
#include "trainer/node/processes/node_log.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr int kUsualPort = 12345;  // ads-contract 4.3

std::string placeOf(const NodeEntry& entry) {
  const std::string address = entry.value("OCI__WORKER_IP");
  const std::string port = entry.value("WORKER_PORT");
  return address.empty() || port.empty() ? std::string() : address + ":" + port;
}

// {"0": "ip:port", "1": …} by number.
std::vector<std::string> placesIn(const Json& cluster, const char* group) {
  std::vector<std::pair<int, std::string>> numbered;
  for (const auto& [key, value] : objectField(cluster, group).items()) {
    int number = 0;
    std::from_chars(key.data(), key.data() + key.size(), number);
    if (value.is_string()) numbered.emplace_back(number, value.get<std::string>());
  }
  std::sort(numbered.begin(), numbered.end());
  std::vector<std::string> places;
  for (auto& [number, place] : numbered) places.push_back(std::move(place));
  return places;
}

}  // namespace

Result<OrderedJson> tensorFlowCluster(const std::vector<NodeEntry>& entries) {
  OrderedJson servers = OrderedJson::object(), workers = OrderedJson::object();
  std::map<std::string, std::string> taken;
  for (const NodeEntry& entry : entries) {
    const std::string place = placeOf(entry);
    if (place.empty())
      return failure(ErrorCode::DataLoss, fmt::format("'{}' does not say where its node is", entry.file),
                     "OCI__WORKER_IP or WORKER_PORT is missing in it");
    const auto [other, isNew] = taken.emplace(place, entry.file);
    if (!isNew)
      return failure(ErrorCode::InvalidArgument,
                     fmt::format("'{}' and '{}' both say {}", other->second, entry.file, place),
                     "two nodes cannot listen on the same port of one address",
                     "give each its own WORKER_PORT where nodes share a machine");
    OrderedJson& group = entry.role == NodeRole::ParameterServer ? servers : workers;
    group[std::to_string(group.size())] = place;
  }
  return OrderedJson{{"ps", servers}, {"worker", workers}};
}

Result<OrderedJson> tfConfig(const Json& cluster, const std::string& own, bool withServers) {
  std::vector<std::string> workers = placesIn(cluster, "worker");
  OrderedJson groups = OrderedJson::object();
  if (withServers) {
    if (!workers.empty()) {
      groups["chief"] = {workers.front()};
      workers.erase(workers.begin());
    }
    if (!workers.empty()) groups["worker"] = workers;
    groups["ps"] = placesIn(cluster, "ps");
  } else {
    groups["worker"] = workers;
  }
  for (const auto& [type, places] : groups.items()) {
    const auto at = std::find(places.begin(), places.end(), own);
    if (at == places.end()) continue;
    const int index = static_cast<int>(at - places.begin());
    return OrderedJson{{"cluster", groups}, {"task", {{"type", type}, {"index", index}}}};
  }
  return failure(ErrorCode::NotFound, fmt::format("cluster.json does not have this node, {}", own),
                 "its main node gathered other addresses",
                 "start the run anew with an empty work dir; every node needs an address and WORKER_PORT of "
                 "its own");
}

Result<std::vector<int>> TensorFlowCluster::prepare(const std::stop_token&) {
  const auto port = numberOf(node_.environment, "WORKER_PORT", kUsualPort, 1, 65535);
  if (!port) return failure(port.error());
  port_ = *port;
  return std::vector<int>{port_};
}

Result<std::vector<ClusterProcess>> TensorFlowCluster::meet(FrameworkRendezvous& rendezvous, RendezvousFiles&,
                                                            Clock& clock, const std::stop_token& stop) {
  const NodeSettings& settings = node_.settings;
  const bool server = settings.role == NodeRole::ParameterServer;
  Json own = {{"OCI__MODE", settings.isMain() ? "MAIN"
                            : server          ? "PS"
                                              : "WORKER"},
              {"OCI__WORKER_IP", node_.address.address},
              {"WORKER_PORT", std::to_string(port_)}};
  if (!settings.isMain()) own["RANK"] = std::to_string(settings.nodeRank);
  if (auto told = rendezvous.publish(std::move(own), stop); !told) return failure(told.error());
  if (settings.isMain()) {
    const auto entries = rendezvous.awaitEntries(clock, stop);
    if (!entries) return failure(entries.error());
    const auto cluster = tensorFlowCluster(*entries);
    if (!cluster) return failure(cluster.error());
    if (auto wrote = rendezvous.writeCluster(*cluster, stop); !wrote) return failure(wrote.error());
  }
  const auto cluster = rendezvous.awaitCluster(clock, stop);
  if (!cluster) return failure(cluster.error());
  const bool withServers = settings.serverCount > 0;
  const auto config = tfConfig(*cluster, fmt::format("{}:{}", node_.address.address, port_), withServers);
  if (!config) return failure(config.error());
  ClusterProcess script{.name = "the entry script",
                        .command = node_.script,
                        .environment = scriptEnvironment(node_),
                        .label = settings.isMultiNode() ? node_.name : std::string(),
                        .remedy = "its own words stand above"};
  script.environment["TF_CONFIG"] = config->dump();
  if (withServers && !settings.isMain()) {
    script.duty = ClusterProcess::Duty::Service;
    script.mayEndEarly = true;
  }
  say("{} is {} {} of TensorFlow", node_.name, (*config)["task"]["type"].get<std::string>(),
      (*config)["task"]["index"].get<int>());
  return std::vector{std::move(script)};
}

}  // namespace lockstep::node
