// SPDX-License-Identifier: GPL-3.0-or-later
#include "health/health_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bounds.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds kLongestNodesPause{60};
constexpr int kReadsPerLook = 64;
constexpr std::size_t kMaxTroubles = 16;  // that are told one by one

std::string folderOf(const std::string& name) {
  return name.substr(0, name.rfind('/') + 1);
}

// "…/reach/12.json": whatever else lies there is nobody's findings.
bool isNodeFile(std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1);
  if (!name.ends_with(".json")) return false;
  name.remove_suffix(5);
  return integerIn(name, 0, kMaxNodes - 1).has_value();
}

Error tooLarge(const ObjectInfo& object, std::size_t max) {
  return {ErrorCode::DataLoss,
          fmt::format("cannot read '{}' in the work dir", object.name),
          fmt::format("it has {} bytes, more than the {} that it may have", object.size, max),
          "remove it, if it is none of the run's",
          {},
          {}};
}

}  // namespace

HealthReader::HealthReader(std::shared_ptr<ObjectStore> store, const std::string& jobId,
                           std::shared_ptr<Clock> clock)
    : store_(std::move(store)),
      heartbeatName_(layout::heartbeatFile(jobId)),
      nodesFolder_(folderOf(layout::reachFile(jobId, 0))),
      clock_(std::move(clock)),
      nodesPause_(kHealthInterval) {}

Result<std::shared_ptr<const RunHealth>> HealthReader::poll(const std::stop_token& stop) {
  const SteadyPoint now = clock_->steady();
  Result<void> done;
  if (now >= nextHeartbeat_) {
    nextHeartbeat_ = now + kHealthInterval;
    done = lookForHeartbeat(stop);
  }
  if (done && now >= nextNodes_) done = lookForNodes(stop);
  if (!done) return failure(done.error());
  if (!std::exchange(isNew_, false)) return std::shared_ptr<const RunHealth>();
  return snapshot();
}

Result<void> HealthReader::lookForHeartbeat(const std::stop_token& stop) {
  auto objects = store_->list(heartbeatName_, {}, stop);
  if (!objects && objects.error().code == ErrorCode::NotFound) return {};
  if (!objects) return failure(std::move(objects.error()));
  const auto found = std::find_if(objects->begin(), objects->end(),
                                  [&](const ObjectInfo& one) { return one.name == heartbeatName_; });
  if (found == objects->end()) return {};
  if (found->size > kMaxHeartbeatBytes) {
    isNew_ = isNew_ || !heartbeatTrouble_;
    heartbeatTrouble_ = tooLarge(*found, kMaxHeartbeatBytes);
    return {};
  }
  const auto text = store_->get(heartbeatName_, stop);
  if (!text && text.error().code == ErrorCode::NotFound) return {};
  if (!text) return failure(text.error());
  if (*text != heartbeatText_) updateHeartbeat(*text);
  return {};
}

void HealthReader::updateHeartbeat(const std::string& text) {
  const bool isFirst = heartbeatText_.empty();
  heartbeatText_ = text;
  isNew_ = true;
  auto heartbeat = parseHeartbeat(text);
  heartbeatTrouble_ = heartbeat ? std::nullopt : std::optional(heartbeat.error());
  if (!heartbeat) return;
  // Its own time tells the age of one that was there before us, as far as the clocks agree; a later one is
  // new now.
  const auto age = isFirst ? std::max(clock_->now() - heartbeat->time, std::chrono::nanoseconds(0)) : 0ns;
  heard_ = clock_->steady() - std::chrono::duration_cast<SteadyPoint::duration>(age);
  heartbeat_ = *std::move(heartbeat);
}

Result<void> HealthReader::lookForNodes(const std::stop_token& stop) {
  if (allNodesKnown()) return {};
  auto objects = store_->list(nodesFolder_, {}, stop);
  if (!objects && objects.error().code != ErrorCode::NotFound) return failure(std::move(objects.error()));
  int reads = 0;
  for (const ObjectInfo& object : objects.value_or(std::vector<ObjectInfo>())) {
    if (stop.stop_requested()) break;
    if (!isNodeFile(object.name) || settled_.contains(object.name)) continue;
    if (++reads > kReadsPerLook) break;  // the rest the next time
    if (auto read = readNode(object, stop); !read) return read;
  }
  nodesPause_ = reads > 0 ? kHealthInterval : std::min(2 * nodesPause_, kLongestNodesPause);
  nextNodes_ = clock_->steady() + (reads > kReadsPerLook ? std::chrono::seconds(0) : nodesPause_);
  return {};
}

Result<void> HealthReader::readNode(const ObjectInfo& object, const std::stop_token& stop) {
  const auto settle = [&](const Error& trouble) {
    if (nodeTroubles_.size() < kMaxTroubles) nodeTroubles_.insert_or_assign(object.name, trouble);
    settled_.insert(object.name);
    isNew_ = true;
  };
  if (object.size > kMaxFindingsBytes) {
    settle(tooLarge(object, kMaxFindingsBytes));
    return {};
  }
  const auto text = store_->get(object.name, stop);
  if (!text && text.error().code == ErrorCode::NotFound) return {};
  if (!text) return failure(text.error());
  auto found = parseNodeFindings(*text);
  if (!found) {
    settle(found.error());
    return {};
  }
  settled_.insert(object.name);
  isNew_ = true;
  const int node = found->node;
  nodes_.insert_or_assign(node, *std::move(found));
  return {};
}

bool HealthReader::allNodesKnown() const {
  if (nodes_.empty()) return false;
  return std::all_of(nodes_.begin(), nodes_.end(), [this](const auto& entry) {
    const NodeFindings& one = entry.second;
    return one.missing.empty() &&
           std::all_of(one.peers.begin(), one.peers.end(),
                       [this](const ReachLink& link) { return nodes_.contains(link.node); });
  });
}

std::shared_ptr<const RunHealth> HealthReader::snapshot() const {
  auto health = std::make_shared<RunHealth>();
  health->heartbeat = heartbeat_;
  health->heard = heard_;
  for (const auto& [node, found] : nodes_) health->nodes.push_back(found);
  if (heartbeatTrouble_) health->unreadable.push_back(*heartbeatTrouble_);
  for (const auto& [name, trouble] : nodeTroubles_) health->unreadable.push_back(trouble);
  return health;
}

}  // namespace lockstep
