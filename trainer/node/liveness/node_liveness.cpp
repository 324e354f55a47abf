// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/liveness/node_liveness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/bounds.h"
#include "base/json_fields.h"
#include "base/outside_json.h"
#include "base/text/encoding.h"
#include "trainer/node/settings/beginning.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;

std::string textOf(const NodeHeartbeat& beat) {
  const Json json = {{"node", beat.node},       {"name", beat.name},       {"jobRun", beat.jobRun},
                     {"address", beat.address}, {"port", beat.port},       {"answer", beat.answer},
                     {"attempt", beat.attempt}, {"started", beat.started}, {"count", beat.count}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<NodeHeartbeat> beatFrom(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  constexpr auto kMany = std::numeric_limits<int>::max();
  const auto node = outsideNumber(json, "node", 0, kMaxRanks), port = outsideNumber(json, "port", 1, 65'535);
  const auto attempt = outsideNumber(json, "attempt", 0, kMany), count = integerField(json, "count");
  if (!node || !port || !attempt || !count || !json.contains("started")) return std::nullopt;
  NodeHeartbeat beat;
  beat.node = static_cast<int>(*node);
  beat.name = stringField(json, "name");
  beat.jobRun = stringField(json, "jobRun");
  beat.address = stringField(json, "address");
  beat.answer = stringField(json, "answer");
  beat.port = static_cast<int>(*port);
  beat.attempt = static_cast<int>(*attempt);
  beat.started = boolField(json, "started", false);
  beat.count = *count;
  const bool isWhole = !beat.name.empty() && !beat.address.empty() && !beat.answer.empty();
  return isWhole ? std::optional(std::move(beat)) : std::nullopt;
}

tl::unexpected<Error> cancelled() {
  return failure(ErrorCode::Cancelled, "told to stop while looking whether the run continues");
}

}  // namespace

NodeLiveness::NodeLiveness(std::shared_ptr<ObjectStore> store, const NodeSettings& settings, std::string name,
                           std::string address)
    : store_(std::move(store)), settings_(settings) {
  own_.node = settings.nodeRank;
  own_.name = std::move(name);
  own_.jobRun = settings.jobRunId;
  own_.address = std::move(address);
  own_.answer = fmt::format("lockstep-node {} {}", settings.nodeRank, toHex(randomBytes(8)));
}

NodeLiveness::~NodeLiveness() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  (void)store_->remove(fileOf(settings_.nodeRank), {});
}

std::string NodeLiveness::fileOf(int node) const {
  return fmt::format("{}{}.json", layout::aliveFolder(settings_.jobId), node);
}

Result<std::map<int, std::string>> NodeLiveness::versions(const std::stop_token& stop) {
  const std::string folder = layout::aliveFolder(settings_.jobId);
  const auto objects = store_->list(folder, {}, stop);
  if (!objects) return failure(objects.error());
  std::map<int, std::string> found;
  for (const ObjectInfo& object : *objects) {
    int node = 0;
    const char* begin = object.name.data() + folder.size();
    const auto [end, error] = std::from_chars(begin, object.name.data() + object.name.size(), node);
    if (error == std::errc() && std::string_view(end) == ".json") found[node] = object.version;
  }
  return found;
}

Result<std::optional<NodeHeartbeat>> NodeLiveness::beatOf(int node, const std::stop_token& stop) {
  const auto text = store_->get(fileOf(node), stop);
  if (text) return beatFrom(*text);
  if (text.error().code == ErrorCode::NotFound) return std::optional<NodeHeartbeat>();
  return failure(text.error());
}

Result<std::vector<NodeLiveness::Suspect>> NodeLiveness::trainingNodes(const std::stop_token& stop) {
  const auto signs = versions(stop);
  if (!signs) return failure(signs.error());
  const auto attempts = store_->list(layout::jobFolder(settings_.jobId) + "lockstep/attempts/", {}, stop);
  if (!attempts) return failure(attempts.error());
  const bool isPlanned = std::any_of(attempts->begin(), attempts->end(),
                                     [](const auto& one) { return one.name.ends_with("/plan.json"); });
  // A first start finds its peers training only when it came late to the first meeting, where it belongs.
  const bool wasHere = isPlanned || signs->contains(settings_.nodeRank);
  std::vector<Suspect> found;
  for (const auto& [node, version] : *signs) {
    const auto beat = beatOf(node, stop);
    if (!beat) return failure(beat.error());
    const bool trains = *beat && (*beat)->started && (wasHere || (*beat)->attempt > 0);
    if (trains && node != settings_.nodeRank) found.push_back({node, **beat, std::nullopt});
  }
  return found;
}

Result<bool> NodeLiveness::runsWithoutUs(Clock& clock, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kPause{500};
  auto nodes = trainingNodes(stop);
  if (!nodes) return failure(nodes.error());
  probe(*nodes);
  const auto answers = [](const Suspect& one) { return !one.refusal; };
  if (std::any_of(nodes->begin(), nodes->end(), answers)) return true;
  // They may have died with their cluster; whoever lives writes again.
  const bool refused =
      std::all_of(nodes->begin(), nodes->end(), [](const auto& one) { return one.isRefused(); });
  const std::chrono::seconds limit = refused ? 3 * kInterval : settings_.nodeSilence;
  for (const Beginning begin(clock); !nodes->empty() && begin.passed(clock) < limit;) {
    if (!clock.sleepFor(kPause, stop)) return cancelled();
    for (const Suspect& one : *nodes) {
      const auto now = beatOf(one.node, stop);
      if (!now) return failure(now.error());
      if (*now && (*now)->started && (*now)->count != one.beat.count) return true;
    }
  }
  return false;
}

Result<void> NodeLiveness::start() {
  auto listener = ProbeListener::open(own_.answer);
  if (!listener) return failure(listener.error());
  listener_ = std::move(*listener);
  own_.port = listener_->port();
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  return {};
}

void NodeLiveness::beginAttempt(int attempt, const std::vector<int>& members) {
  const std::lock_guard lock(mutex_);
  own_.attempt = attempt;
  own_.started = true;
  members_ = members;
  expedited_ = false;
  loss_.reset();
  isAwaited_ = true;
  changed_.notify_all();
}

void NodeLiveness::expedite() {
  const std::lock_guard lock(mutex_);
  expedited_ = isAwaited_ = true;
  changed_.notify_all();
}

std::optional<NodeLoss> NodeLiveness::loss() const {
  const std::lock_guard lock(mutex_);
  return loss_;
}

bool NodeLiveness::isLost(int node) const {
  const std::lock_guard lock(mutex_);
  const auto peer = peers_.find(node);
  return peer != peers_.end() && (peer->second.lost || peer->second.gone);
}

bool NodeLiveness::isGone(int node) const {
  const std::lock_guard lock(mutex_);
  const auto peer = peers_.find(node);
  return peer != peers_.end() && peer->second.gone;
}

std::optional<std::string> NodeLiveness::popNote() {
  const std::lock_guard lock(mutex_);
  return std::exchange(note_, std::nullopt);
}

void NodeLiveness::run(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kExpeditedInterval{500};
  while (!stop.stop_requested()) {
    beat(stop);
    look(stop);
    evaluateSuspects(stop);
    std::unique_lock lock(mutex_);
    const std::chrono::milliseconds pause = expedited_ ? kExpeditedInterval : kInterval;
    changed_.wait_for(lock, stop, pause, [this] { return isAwaited_; });
    isAwaited_ = false;
  }
}

// A work dir that cannot be written or read now is tried again with the next beat.
void NodeLiveness::beat(const std::stop_token& stop) {
  NodeHeartbeat beat;
  {
    const std::lock_guard lock(mutex_);
    ++own_.count;
    beat = own_;
  }
  (void)store_->put(fileOf(beat.node), textOf(beat), stop);
}

void NodeLiveness::look(const std::stop_token& stop) {
  const auto found = versions(stop);
  if (!found) return;
  const std::lock_guard lock(mutex_);
  const auto now = Steady::now();
  const bool first = !lastLook_;
  // While we could not look, nobody was silent.
  const auto since =
      first ? Steady::duration(0) : std::min<Steady::duration>(now - *lastLook_, 2 * kInterval);
  lastLook_ = now;
  for (const auto& [node, version] : *found) {
    if (node == settings_.nodeRank) continue;
    Peer& peer = peers_[node];
    peer.present = true;
    peer.silence += since;
    if (peer.version == version) continue;
    // What lies there when we come may be of an earlier run.
    peer.alive = !first;
    peer.version = version;
    peer.silence = {};
    peer.lost = peer.gone = peer.noted = false;
  }
  for (auto& [node, peer] : peers_) {
    if (found->contains(node)) continue;
    peer.present = false;
    peer.gone = peer.alive;
  }
}

std::vector<int> NodeLiveness::suspects() const {
  const std::lock_guard lock(mutex_);
  std::vector<int> found;
  for (const auto& [node, peer] : peers_) {
    if (!peer.alive || !peer.present || peer.gone) continue;
    if (expedited_ || peer.silence >= settings_.nodeSilence) found.push_back(node);
  }
  return found;
}

void NodeLiveness::evaluateSuspects(const std::stop_token& stop) {
  std::vector<Suspect> asked;
  for (const int node : suspects()) {
    const auto last = beatOf(node, stop);
    if (last && *last) asked.push_back({node, **last, std::nullopt});
  }
  probe(asked);
  for (const Suspect& one : asked) {
    // One that ends by itself takes its sign away before it stops to answer.
    const auto still = one.refusal ? beatOf(one.node, stop) : Result<std::optional<NodeHeartbeat>>(one.beat);
    if (still && *still) markLost(one);
  }
}

void NodeLiveness::probe(std::vector<Suspect>& suspects) {
  std::vector<std::jthread> probes;
  probes.reserve(suspects.size());
  for (Suspect& one : suspects) {
    probes.emplace_back([&one] {
      const auto answered = probeConnection(one.beat.address, one.beat.port, one.beat.answer, kProbeLimit);
      if (!answered) one.refusal = answered.error();
    });
  }
}

// A machine that is there and knows nothing of the agent. (Firewalls have other words for a refusal.)
bool NodeLiveness::Suspect::isRefused() const {
  return refusal && refusal->code == ErrorCode::Unavailable && refusal->cause == std::strerror(ECONNREFUSED);
}

void NodeLiveness::markLost(const Suspect& suspect) {
  const std::lock_guard lock(mutex_);
  Peer& peer = peers_[suspect.node];
  const bool isLate = peer.silence >= settings_.nodeSilence;
  if (!suspect.refusal) {
    if (isLate && !std::exchange(peer.noted, true))
      note_ = fmt::format("{} answers, but its heartbeats have not reached the work dir for {} s",
                          suspect.beat.name,
                          std::chrono::duration_cast<std::chrono::seconds>(peer.silence).count());
    return;
  }
  if (!isLate && peer.silence < (suspect.isRefused() ? kRefusedSilence : kExpeditedSilence)) return;
  peer.lost = true;
  peer.gone = suspect.isRefused();
  const bool isMember = std::find(members_.begin(), members_.end(), suspect.node) != members_.end();
  if (loss_ || !isMember) return;
  loss_ = NodeLoss{suspect.beat, std::chrono::duration_cast<std::chrono::seconds>(peer.silence),
                   suspect.refusal->cause};
}

}  // namespace lockstep::node
