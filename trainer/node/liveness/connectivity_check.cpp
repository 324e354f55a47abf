// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/liveness/connectivity_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/json_fields.h"
#include "base/outside_json.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxPorts = 64;  // of one node; each is tried in a thread of its own
constexpr std::chrono::milliseconds kPause{500};
constexpr std::chrono::seconds kProbeLimit{3};
constexpr std::chrono::seconds kProbesLimit{10};
constexpr std::chrono::seconds kFindingsLimit{15};

tl::unexpected<Error> cancelled() {
  return failure(ErrorCode::Cancelled, "told to stop while the nodes tried to reach each other");
}

Json jsonOf(const ReachFinding& one) {
  Json json = {{"node", one.node},
               {"name", one.name},
               {"address", one.address},
               {"port", one.port},
               {"reached", one.ms.has_value()}};
  if (one.ms) json["ms"] = *one.ms;
  if (!one.cause.empty()) json["cause"] = one.cause;
  return json;
}

/// The ports under `key` in what a node announced, none when it is missing. nullopt: what no node has.
std::optional<std::vector<int>> portsIn(const Json& announced, const char* key) {
  std::vector<int> ports;
  for (const Json& entry : arrayField(announced, key)) {
    const auto port = wholeNumber(entry);
    if (!port || *port < 1 || *port > 65'535 || ports.size() == kMaxPorts) return std::nullopt;
    ports.push_back(static_cast<int>(*port));
  }
  return ports;
}

/// Agents of older versions announce one.
std::optional<std::vector<int>> allPortsIn(const Json& announced) {
  if (announced.contains("ports")) return portsIn(announced, "ports");
  const auto port = outsideNumber(announced, "port", 1, 65'535);
  return port ? std::optional(std::vector{static_cast<int>(*port)}) : std::nullopt;
}

}  // namespace

ConnectivityCheck::ConnectivityCheck(std::shared_ptr<ObjectStore> store, const NodeSettings& settings,
                                     std::string name, std::string address, std::vector<int> ports)
    : store_(std::move(store)),
      settings_(settings),
      name_(std::move(name)),
      address_(std::move(address)),
      ports_(std::move(ports)),
      answer_(fmt::format("lockstep-node {} {}", settings.nodeRank, toHex(randomBytes(8)))) {}

Result<void> ConnectivityCheck::open(Clock& clock, const std::stop_token& stop) {
  begin_.emplace(clock);
  for (const int port : ports_) {
    auto listener = ProbeListener::open(answer_, port, port == 0 ? std::string() : address_);
    if (!listener) return failure(listener.error());
    listeners_.push_back(std::move(*listener));
  }
  return announce(clock, stop);
}

Result<std::vector<ReachFinding>> ConnectivityCheck::run(Clock& clock, const std::stop_token& stop) {
  while (true) {
    const auto complete = allAreThere(clock, stop);
    if (!complete) return failure(complete.error());
    if (*complete || begin_->passed(clock) > settings_.timeout / 2) break;
    if (!clock.sleepFor(kPause, stop)) return cancelled();
  }
  auto findings = probeAll(clock, stop);
  if (!findings) return findings;
  if (auto published = publish(*findings, clock, stop); !published) return failure(published.error());
  return findings;
}

std::string ConnectivityCheck::configName() const {
  if (settings_.isMain()) return layout::mainConfig(settings_.jobId);
  return ownConfig(settings_);
}

Result<void> ConnectivityCheck::announce(const Clock& clock, const std::stop_token& stop) {
  std::vector<int> ports, fixed;
  for (const auto& listener : listeners_) ports.push_back(listener->port());
  for (const int port : ports_) {
    if (port != 0) fixed.push_back(port);
  }
  const Json json = {
      {"node", name_},  {"address", address_}, {"port", ports.front()},  {"ports", ports},
      {"fixed", fixed}, {"answer", answer_},   {"config", configName()}, {"time", toRfc3339(clock.now())}};
  return store_->put(layout::nodeFile(settings_.jobId, settings_.nodeRank), json.dump(), stop);
}

Result<std::optional<ConnectivityCheck::Spot>> ConnectivityCheck::spotOf(int node, const Clock& clock,
                                                                         const std::stop_token& stop) {
  const auto text = store_->get(layout::nodeFile(settings_.jobId, node), stop);
  if (!text && text.error().code != ErrorCode::NotFound) return failure(text.error());
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object()) return std::optional<Spot>();
  const auto ports = allPortsIn(json), fixed = portsIn(json, "fixed");
  if (!ports || !fixed) return std::optional<Spot>();
  try {
    // One of an earlier run of this job is older than our timeout.
    const auto time = parseRfc3339(json.at("time").get<std::string>());
    if (!time || *time < begin_->onCalendar(clock) - settings_.timeout) return std::optional<Spot>();
    return std::optional(Spot{node, json.at("node").get<std::string>(), json.at("address").get<std::string>(),
                              json.at("answer").get<std::string>(), json.value("config", std::string()),
                              *ports, *fixed});
  } catch (const Json::exception&) {
    return std::optional<Spot>();
  }
}

// Nodes that `ads` runs write their config file and no more.
Result<int> ConnectivityCheck::foreignNodes(const std::stop_token& stop) {
  const auto objects = store_->list(layout::jobFolder(settings_.jobId), {}, stop);
  if (!objects) return failure(objects.error());
  std::set<std::string> ours = {configName()};
  for (const Spot& spot : spots_) ours.insert(spot.config);
  int foreign = 0;
  for (const ObjectInfo& object : *objects) {
    const std::string name = object.name.substr(layout::jobFolder(settings_.jobId).size());
    const bool config = name.find('/') == std::string::npos && name.ends_with("_config.json");
    if (config && ours.count(object.name) == 0) ++foreign;
  }
  return foreign;
}

Result<bool> ConnectivityCheck::allAreThere(const Clock& clock, const std::stop_token& stop) {
  spots_.clear();
  missing_.clear();
  for (int node = 0; node < settings_.nodeCount; ++node) {
    if (node == settings_.nodeRank) continue;
    const auto spot = spotOf(node, clock, stop);
    if (!spot) return failure(spot.error());
    if (*spot)
      spots_.push_back(**spot);
    else
      missing_.push_back(node);
  }
  if (missing_.empty()) return true;
  const auto foreign = foreignNodes(stop);
  if (!foreign) return failure(foreign.error());
  return *foreign >= static_cast<int>(missing_.size());
}

std::vector<ReachFinding> ConnectivityCheck::untried(const Spot& spot) {
  std::vector<ReachFinding> findings;
  for (const int port : spot.ports) {
    const bool fixed = std::find(spot.fixed.begin(), spot.fixed.end(), port) != spot.fixed.end();
    findings.push_back({spot.node, spot.name, spot.address, port, fixed, {}, {}});
  }
  return findings;
}

Result<std::vector<ReachFinding>> ConnectivityCheck::probeAll(Clock& clock, const std::stop_token& stop) {
  const Beginning begin(clock);
  std::vector<std::vector<ReachFinding>> found;  // by spot
  for (const Spot& spot : spots_) found.push_back(untried(spot));
  const auto missed = [](const std::vector<ReachFinding>& of) {
    return std::any_of(of.begin(), of.end(), [](const ReachFinding& one) { return !one.ms; });
  };
  while (true) {
    std::vector<std::jthread> probes;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (ReachFinding& one : found[i]) {
        if (one.ms) continue;
        probes.emplace_back([&finding = one, &spot = spots_[i]] {
          const auto ms = probeConnection(spot.address, finding.port, spot.answer, kProbeLimit);
          if (ms) finding.ms = *ms;
          finding.cause = ms ? std::string() : ms.error().cause;
        });
      }
    }
    const bool done = probes.empty();
    probes.clear();  // waits for them
    if (done || begin.passed(clock) > kProbesLimit) break;
    if (!clock.sleepFor(kPause, stop)) return cancelled();
    // An announcement of an earlier run may have stood in for one that came only now.
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto spot =
          missed(found[i]) ? spotOf(spots_[i].node, clock, stop) : Result<std::optional<Spot>>();
      if (!spot || !*spot || (*spot)->answer == spots_[i].answer) continue;
      spots_[i] = **spot;
      found[i] = untried(spots_[i]);
    }
  }
  std::vector<ReachFinding> all;
  for (auto& of : found) std::move(of.begin(), of.end(), std::back_inserter(all));
  return all;
}

Result<void> ConnectivityCheck::publish(const std::vector<ReachFinding>& findings, const Clock& clock,
                                        const std::stop_token& stop) {
  Json peers = Json::array();
  for (const ReachFinding& one : findings) peers.push_back(jsonOf(one));
  const Json json = {{"node", settings_.nodeRank},
                     {"name", name_},
                     {"address", address_},
                     {"answer", answer_},
                     {"peers", peers},
                     {"missing", missing_},
                     {"time", toRfc3339(clock.now())}};
  return store_->put(layout::reachFile(settings_.jobId, settings_.nodeRank),
                     json.dump(-1, ' ', false, Json::error_handler_t::replace), stop);
}

Result<void> ConnectivityCheck::awaitOthers(Clock& clock, const std::stop_token& stop) {
  const Beginning begin(clock);
  std::set<int> waiting;
  for (const Spot& spot : spots_) waiting.insert(spot.node);
  while (!waiting.empty() && begin.passed(clock) < kFindingsLimit) {
    for (const Spot& spot : spots_) {
      const auto text = store_->get(layout::reachFile(settings_.jobId, spot.node), stop);
      const Json json = text ? Json::parse(*text, nullptr, false) : Json();
      if (json.is_object() && json.value("answer", "") == spot.answer) waiting.erase(spot.node);
    }
    if (!waiting.empty() && !clock.sleepFor(kPause, stop)) return cancelled();
  }
  return {};
}

}  // namespace lockstep::node
