// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/rendezvous/framework_rendezvous.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "base/outside_json.h"
#include "base/time_text.h"
#include "trainer/node/settings/own_address.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;

constexpr const char* kWritten = "LOCKSTEP_WRITTEN";
constexpr const char* kNode = "LOCKSTEP_NODE_RANK";
constexpr std::string_view kConfig = "_config.json";
constexpr std::size_t kMaxBoardBytes = 1 << 20;

std::optional<NodeRole> roleOfFile(const std::string& file) {
  if (file.find('/') != std::string::npos || !file.ends_with(kConfig)) return std::nullopt;
  if (file.starts_with("MAIN_")) return NodeRole::Main;
  if (file.starts_with("WORKER_")) return NodeRole::Worker;
  if (file.starts_with("PS_")) return NodeRole::ParameterServer;
  return std::nullopt;
}

// What is said there goes into command lines of mpirun and into SSH's list of hosts.
Result<void> checkAddresses(const NodeEntry& entry) {
  for (const char* key : {"OCI__WORKER_IP", "OCI__MAIN_IP"}) {
    const std::string address = entry.value(key);
    if (address.empty() || isAddress(address)) continue;
    return failure(ErrorCode::DataLoss, fmt::format("'{}' does not say where its node is", entry.file),
                   fmt::format("its {} is no address", key),
                   "look at what wrote that file into the work dir");
  }
  return {};
}

// Null: it is no object, or longer than any that a node writes.
Json objectOf(const std::string& text) {
  return parseOutsideJson(text, kMaxBoardBytes, {}).value_or(Json());
}

std::map<std::string, std::string> textsOf(const Json& json) {
  std::map<std::string, std::string> texts;
  for (const auto& [key, value] : json.items())
    texts[key] = value.is_string() ? value.get<std::string>() : value.dump();
  return texts;
}

// RANK is how the node runner of our starters says it.
int rankOf(const NodeEntry& entry) {
  if (entry.role == NodeRole::Main) return 0;
  for (const char* key : {kNode, "RANK"}) {
    const std::string text = entry.value(key);
    int rank = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (!text.empty() && error == std::errc() && end == text.data() + text.size() && rank > 0) return rank;
  }
  return -1;
}

// A crashed cluster may have left a file of the same node.
void keepNewest(std::vector<NodeEntry>& entries) {
  const auto isOlder = [&entries](const NodeEntry& one) {
    return one.rank >= 0 && std::any_of(entries.begin(), entries.end(), [&](const NodeEntry& other) {
             return other.rank == one.rank && other.role == one.role && other.file != one.file &&
                    other.value(kWritten) > one.value(kWritten);
           });
  };
  std::set<std::string> old;
  for (const NodeEntry& one : entries) {
    if (isOlder(one)) old.insert(one.file);
  }
  std::erase_if(entries, [&](const NodeEntry& one) { return old.count(one.file) != 0; });
}

}  // namespace

std::string NodeEntry::value(const std::string& key) const {
  const auto found = values.find(key);
  return found == values.end() ? std::string() : found->second;
}

FrameworkRendezvous::FrameworkRendezvous(std::shared_ptr<ObjectStore> store, const NodeSettings& settings,
                                         RendezvousFiles& failures)
    : store_(std::move(store)), settings_(settings), failures_(failures), begin_(clock_) {}

std::string FrameworkRendezvous::inJob(const std::string& name) const {
  return layout::jobFolder(settings_.jobId) + name;
}

Result<std::optional<std::string>> FrameworkRendezvous::read(const std::string& name,
                                                             const std::stop_token& stop) {
  auto bytes = store_->get(name, stop);
  if (bytes) return std::optional(std::move(*bytes));
  if (bytes.error().code == ErrorCode::NotFound) return std::optional<std::string>();
  return failure(bytes.error());
}

Result<void> FrameworkRendezvous::remove(const std::string& name, const std::stop_token& stop) {
  const auto there = read(name, stop);
  if (!there) return failure(there.error());
  if (!*there) return {};
  auto removed = store_->remove(name, stop);
  if (!removed && removed.error().code != ErrorCode::NotFound) return removed;
  return {};
}

template <class T>
Result<T> FrameworkRendezvous::await(const std::function<Result<std::optional<T>>()>& look,
                                     const std::function<Error()>& late, Clock& clock,
                                     const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kLongestPause{1000};  // what is new is seen within two seconds
  const Beginning begin(clock);
  std::chrono::milliseconds pause{250};
  while (true) {
    auto found = look();
    if (!found) return failure(found.error());
    if (*found) return std::move(**found);
    // Outside the service the record may be one of an earlier cluster, unless main has taken that away.
    const bool believable = !settings_.outsideService() || settings_.isMain();
    const auto failed = believable ? failures_.failure(stop) : Result<std::optional<FailureRecord>>();
    if (failed && *failed)
      return failure(ErrorCode::FailedPrecondition, "the first failure of the run: " + (*failed)->what);
    if (begin.passed(clock) > settings_.timeout) return failure(late());
    if (!clock.sleepFor(pause, stop))
      return failure(ErrorCode::Cancelled, "told to stop while waiting for the other nodes");
    pause = std::min(pause * 3 / 2, kLongestPause);
  }
}

Result<void> FrameworkRendezvous::clearStale(const std::stop_token& stop) {
  if (!settings_.outsideService()) return {};
  if (auto removed = remove(inJob("cluster.json"), stop); !removed) return removed;
  return remove(inJob("stop_fail"), stop);
}

Result<void> FrameworkRendezvous::publish(Json values, const std::stop_token& stop) {
  values[kNode] = std::to_string(settings_.nodeRank);
  values[kWritten] = toRfc3339(clock_.now());
  const std::string name = settings_.isMain() ? layout::mainConfig(settings_.jobId) : ownConfig(settings_);
  return store_->put(name, values.dump(-1, ' ', false, Json::error_handler_t::replace), stop);
}

// Outside the service a crashed cluster may have left its files; one of this cluster is not older than our
// timeout.
bool FrameworkRendezvous::isStale(const std::map<std::string, std::string>& values) const {
  const auto written = values.find(kWritten);
  if (!settings_.outsideService() || written == values.end()) return false;
  const auto time = parseRfc3339(written->second);
  return time && *time < begin_.onCalendar(clock_) - settings_.timeout;
}

Result<std::vector<NodeEntry>> FrameworkRendezvous::entries(const std::stop_token& stop) {
  const std::string folder = layout::jobFolder(settings_.jobId);
  const auto objects = store_->list(folder, {}, stop);
  if (!objects) return failure(objects.error());
  std::vector<NodeEntry> found;
  for (const ObjectInfo& object : *objects) {
    NodeEntry entry;
    entry.file = object.name.substr(folder.size());
    const auto role = roleOfFile(entry.file);
    if (!role) continue;
    const auto text = read(object.name, stop);
    if (!text) return failure(text.error());
    const Json json = *text ? objectOf(**text) : Json();
    if (!json.is_object()) continue;  // being written, by a store that is not atomic
    entry.role = *role;
    entry.values = textsOf(json);
    entry.rank = rankOf(entry);
    if (isStale(entry.values)) continue;
    if (auto checked = checkAddresses(entry); !checked) return failure(checked.error());
    found.push_back(std::move(entry));
  }
  keepNewest(found);
  const auto order = [](const NodeEntry& one) {
    return std::tuple(one.role != NodeRole::Main, one.role == NodeRole::ParameterServer, one.rank < 0,
                      one.rank, one.file);
  };
  std::sort(found.begin(), found.end(),
            [&](const NodeEntry& a, const NodeEntry& b) { return order(a) < order(b); });
  return found;
}

std::string FrameworkRendezvous::missingNames(const std::vector<NodeEntry>& found) const {
  std::string names;
  NodeSettings node = settings_;
  for (int rank = 0; rank < settings_.nodeCount; ++rank) {
    const bool there =
        std::any_of(found.begin(), found.end(), [&](const NodeEntry& one) { return one.rank == rank; });
    if (there) continue;
    node.nodeRank = rank;
    node.isNumbered = true;
    const bool server = rank > settings_.workerCount();
    node.role = rank == 0 ? NodeRole::Main : server ? NodeRole::ParameterServer : NodeRole::Worker;
    names += (names.empty() ? "" : ", ") + node.defaultName();
  }
  return names;
}

Result<std::vector<NodeEntry>> FrameworkRendezvous::awaitEntries(Clock& clock, const std::stop_token& stop) {
  using Entries = std::vector<NodeEntry>;
  Entries last;
  const auto look = [&]() -> Result<std::optional<Entries>> {
    auto found = entries(stop);
    if (!found) return failure(found.error());
    last = std::move(*found);
    if (static_cast<int>(last.size()) < settings_.nodeCount) return std::optional<Entries>();
    return std::optional(last);
  };
  const auto late = [&] {
    return Error{
        ErrorCode::DeadlineExceeded,
        fmt::format("{} of {} nodes have said in {} where they are within {} s; missing: {}", last.size(),
                    settings_.nodeCount, store_->describe(), settings_.timeout.count(), missingNames(last)),
        {},
        "look at their logs; capacity may take longer than OCI__TIMEOUT allows",
        {},
        {}};
  };
  return await<Entries>(look, late, clock, stop);
}

Result<int> FrameworkRendezvous::numberServer(Clock& clock, const std::stop_token& stop) {
  const std::string claims = inJob("lockstep/servers/");
  const std::string own = ownConfig(settings_).substr(layout::jobFolder(settings_.jobId).size());
  const Json claim = {{kWritten, toRfc3339(clock_.now())}};
  if (auto put = store_->put(claims + own, claim.dump(), stop); !put) return failure(put.error());
  std::set<std::string> servers;
  const auto look = [&]() -> Result<std::optional<int>> {
    servers.clear();
    const auto ours = store_->list(claims, {}, stop);
    if (!ours) return failure(ours.error());
    for (const ObjectInfo& object : *ours) {
      const auto text = read(object.name, stop);
      const Json json = text && *text ? objectOf(**text) : Json();
      if (json.is_object() && !isStale(textsOf(json))) servers.insert(object.name.substr(claims.size()));
    }
    const auto all = entries(stop);  // those of `ads` claim nothing
    if (!all) return failure(all.error());
    for (const NodeEntry& one : *all) {
      if (one.role == NodeRole::ParameterServer) servers.insert(one.file);
    }
    if (static_cast<int>(servers.size()) < settings_.serverCount) return std::optional<int>();
    return std::optional(static_cast<int>(std::distance(servers.begin(), servers.find(own))));
  };
  const auto late = [&] {
    return Error{ErrorCode::DeadlineExceeded,
                 fmt::format("{} of {} parameter servers were there within {} s", servers.size(),
                             settings_.serverCount, settings_.timeout.count()),
                 {},
                 "look at the logs of the others; OCI__TIMEOUT sets the limit",
                 {},
                 {}};
  };
  return await<int>(look, late, clock, stop);
}

Result<void> FrameworkRendezvous::writeCluster(const nlohmann::ordered_json& cluster,
                                               const std::stop_token& stop) {
  auto dated = cluster;
  dated[kWritten] = toRfc3339(clock_.now());
  return store_->put(inJob("cluster.json"), dated.dump(), stop);
}

Result<Json> FrameworkRendezvous::awaitCluster(Clock& clock, const std::stop_token& stop) {
  const auto look = [&]() -> Result<std::optional<Json>> {
    const auto text = read(inJob("cluster.json"), stop);
    if (!text) return failure(text.error());
    Json json = *text ? objectOf(**text) : Json();
    if (!json.is_object() || isStale(textsOf(json))) return std::optional<Json>();
    return std::optional(std::move(json));
  };
  const auto late = [&] {
    return Error{ErrorCode::DeadlineExceeded,
                 fmt::format("the main node did not write {}/{} within {} s", store_->describe(),
                             inJob("cluster.json"), settings_.timeout.count()),
                 {},
                 "look at the log of the main node; OCI__TIMEOUT sets the limit",
                 {},
                 {}};
  };
  return await<Json>(look, late, clock, stop);
}

Result<void> FrameworkRendezvous::writeEnd(bool ok, const std::stop_token& stop) {
  const std::string mark(ok ? std::string_view() : traitsOf(settings_.framework).failureMark);
  return store_->put(inJob(mark.empty() ? "stop" : mark), "stop", stop);
}

Result<void> FrameworkRendezvous::retire(const std::stop_token& stop) {
  if (!settings_.outsideService()) return {};
  if (!settings_.isMain()) {
    const std::string own = ownConfig(settings_);
    if (auto removed = remove(inJob("lockstep/servers/") + own.substr(inJob("").size()), stop); !removed)
      return removed;
    return remove(own, stop);
  }
  if (auto removed = remove(inJob("cluster.json"), stop); !removed) return removed;
  return remove(layout::mainConfig(settings_.jobId), stop);
}

}  // namespace lockstep::node
