// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/reach_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/encoding.h"
#include "base/time_text.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::milliseconds kPause{500};
constexpr std::chrono::seconds kProbeLimit{3};
constexpr std::chrono::seconds kProbesLimit{10};
constexpr std::chrono::seconds kFindingsLimit{15};

tl::unexpected<Status> cancelled() {
  return failure(StatusCode::Cancelled, "told to stop while the nodes tried to reach each other");
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

}  // namespace

ReachTest::ReachTest(std::shared_ptr<ObjectStore> store, const NodeSettings& settings, std::string name,
                     std::string address)
    : store_(std::move(store)),
      settings_(settings),
      name_(std::move(name)),
      address_(std::move(address)),
      answer_(fmt::format("lockstep-node {} {}", settings.nodeRank, toHex(randomBytes(8)))) {}

Result<void> ReachTest::open(Clock& clock, const std::stop_token& stop) {
  begin_ = clock.now();
  auto listener = ReachListener::open(answer_);
  if (!listener) return failure(listener.error());
  listener_ = std::move(*listener);
  return announce(stop);
}

Result<std::vector<ReachFinding>> ReachTest::run(Clock& clock, const std::stop_token& stop) {
  while (true) {
    const auto complete = allAreThere(stop);
    if (!complete) return failure(complete.error());
    if (*complete || clock.now() - begin_ > settings_.timeout / 2) break;
    if (!clock.sleepFor(kPause, stop)) return cancelled();
  }
  auto findings = probeAll(clock, stop);
  if (!findings) return findings;
  if (auto published = publish(*findings, stop); !published) return failure(published.error());
  return findings;
}

Result<void> ReachTest::announce(const std::stop_token& stop) {
  const std::string own = settings_.isMultiNode()
                              ? fmt::format("{}_{}", settings_.jobRunId, settings_.nodeRank)
                              : settings_.jobRunId;
  const Json json = {{"node", name_},
                     {"address", address_},
                     {"port", listener_->port()},
                     {"answer", answer_},
                     {"config", settings_.isMain() ? layout::mainConfig(settings_.jobId)
                                                   : layout::workerConfig(settings_.jobId, own)},
                     {"time", toRfc3339(begin_)}};
  return store_->put(layout::nodeFile(settings_.jobId, settings_.nodeRank), json.dump(), stop);
}

Result<std::optional<ReachTest::Spot>> ReachTest::spotOf(int node, const std::stop_token& stop) {
  const auto text = store_->get(layout::nodeFile(settings_.jobId, node), stop);
  if (!text && text.error().code != StatusCode::NotFound) return failure(text.error());
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object()) return std::optional<Spot>();
  try {
    // One of an earlier run of this job is older than our patience.
    const auto time = parseRfc3339(json.at("time").get<std::string>());
    if (!time || *time < begin_ - settings_.timeout) return std::optional<Spot>();
    return std::optional(Spot{node, json.at("node").get<std::string>(), json.at("address").get<std::string>(),
                              json.at("answer").get<std::string>(), json.at("port").get<int>()});
  } catch (const Json::exception&) {
    return std::optional<Spot>();
  }
}

// Nodes that `ads` runs write their config file and no more.
Result<int> ReachTest::foreignNodes(const std::stop_token& stop) {
  const auto objects = store_->list(layout::jobFolder(settings_.jobId), {}, stop);
  if (!objects) return failure(objects.error());
  int configs = 0;
  for (const ObjectInfo& object : *objects) {
    const std::string name = object.name.substr(layout::jobFolder(settings_.jobId).size());
    if (name.find('/') == std::string::npos && name.ends_with("_config.json")) ++configs;
  }
  // Of our own kind, workers write theirs before they announce themselves, and main after all have.
  int own = settings_.isMain() ? 0 : 1;
  for (const Spot& spot : spots_) own += spot.node == 0 ? 0 : 1;
  return std::max(0, configs - own);
}

Result<bool> ReachTest::allAreThere(const std::stop_token& stop) {
  spots_.clear();
  missing_.clear();
  for (int node = 0; node < settings_.nodeCount; ++node) {
    if (node == settings_.nodeRank) continue;
    const auto spot = spotOf(node, stop);
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

Result<std::vector<ReachFinding>> ReachTest::probeAll(Clock& clock, const std::stop_token& stop) {
  const TimePoint begin = clock.now();
  std::vector<ReachFinding> findings;
  for (const Spot& spot : spots_) findings.push_back({spot.node, spot.name, spot.address, spot.port, {}, {}});
  while (true) {
    std::vector<std::jthread> probes;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (findings[i].ms) continue;
      probes.emplace_back([&finding = findings[i], &spot = spots_[i]] {
        const auto ms = probeReach(spot.address, spot.port, spot.answer, kProbeLimit);
        if (ms) finding.ms = *ms;
        finding.cause = ms ? std::string() : ms.error().cause;
      });
    }
    const bool done = probes.empty();
    probes.clear();  // waits for them
    if (done || clock.now() - begin > kProbesLimit) return findings;
    if (!clock.sleepFor(kPause, stop)) return cancelled();
    // An announcement of an earlier run may have stood in for one that came only now.
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const auto spot = findings[i].ms ? Result<std::optional<Spot>>() : spotOf(spots_[i].node, stop);
      if (!spot || !*spot) continue;
      spots_[i] = **spot;
      findings[i].address = spots_[i].address;
      findings[i].port = spots_[i].port;
    }
  }
}

Result<void> ReachTest::publish(const std::vector<ReachFinding>& findings, const std::stop_token& stop) {
  Json peers = Json::array();
  for (const ReachFinding& one : findings) peers.push_back(jsonOf(one));
  const Json json = {{"node", settings_.nodeRank},
                     {"name", name_},
                     {"address", address_},
                     {"answer", answer_},
                     {"peers", peers},
                     {"missing", missing_},
                     {"time", toRfc3339(SystemClock().now())}};
  return store_->put(layout::reachFile(settings_.jobId, settings_.nodeRank),
                     json.dump(-1, ' ', false, Json::error_handler_t::replace), stop);
}

Result<void> ReachTest::awaitOthers(Clock& clock, const std::stop_token& stop) {
  const TimePoint begin = clock.now();
  std::set<int> waiting;
  for (const Spot& spot : spots_) waiting.insert(spot.node);
  while (!waiting.empty() && clock.now() - begin < kFindingsLimit) {
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
