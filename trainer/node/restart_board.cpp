// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/restart_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::milliseconds kPause{500};

tl::unexpected<Status> cancelled() {
  return failure(StatusCode::Cancelled, "told to stop while waiting for a restart");
}

std::string namesOf(const std::vector<int>& nodes) {
  std::string names;
  for (const int node : nodes)
    names +=
        (names.empty() ? "" : ", ") + (node == 0 ? std::string("main") : fmt::format("worker_{}", node - 1));
  return names;
}

}  // namespace

Result<void> RestartBoard::announce(int attempt, const std::stop_token& stop) {
  const Json json = {{"node", settings_.nodeRank}, {"jobRun", settings_.jobRunId}};
  return store_->put(
      fmt::format("{}node-{}.json", layout::attemptFolder(settings_.jobId, attempt), settings_.nodeRank),
      json.dump(), stop);
}

Result<AttemptPlan> RestartBoard::decide(int attempt, const std::vector<int>& members,
                                         const std::string& address, int port, Clock& clock,
                                         const std::stop_token& stop) {
  const std::string folder = layout::attemptFolder(settings_.jobId, attempt);
  const TimePoint begin = clock.now();
  AttemptPlan plan{{}, address, port};
  std::vector<int> missing = members;
  while (!missing.empty() && clock.now() - begin < settings_.restartWait) {
    const auto objects = store_->list(folder + "node-", {}, stop);
    if (!objects) return failure(objects.error());
    std::erase_if(missing, [&](int node) {
      const std::string name = fmt::format("{}node-{}.json", folder, node);
      return std::any_of(objects->begin(), objects->end(), [&](const auto& one) { return one.name == name; });
    });
    if (!missing.empty() && !clock.sleepFor(kPause, stop)) return cancelled();
  }
  for (const int node : members) {
    if (std::find(missing.begin(), missing.end(), node) == missing.end()) plan.nodes.push_back(node);
  }
  const bool enough = settings_.minNodes > 0 && static_cast<int>(plan.nodes.size()) >= settings_.minNodes;
  if (!missing.empty() && !enough) {
    return failure(StatusCode::DeadlineExceeded,
                   fmt::format("no restart: {} did not come back within {} s", namesOf(missing),
                               settings_.restartWait.count()),
                   {}, "set LOCKSTEP_MIN_NODES to go on with fewer nodes");
  }
  const Json json = {{"nodes", plan.nodes}, {"address", address}, {"port", port}};
  if (auto told = store_->put(folder + "plan.json", json.dump(), stop); !told) return failure(told.error());
  return plan;
}

Result<AttemptPlan> RestartBoard::await(int attempt, Clock& clock, const std::stop_token& stop) {
  const std::string name = layout::attemptFolder(settings_.jobId, attempt) + "plan.json";
  const TimePoint begin = clock.now();
  const auto limit = settings_.restartWait + std::chrono::seconds(30);  // main may notice later than we did
  while (true) {
    const auto text = store_->get(name, stop);
    if (!text && text.error().code != StatusCode::NotFound) return failure(text.error());
    const Json json = text ? Json::parse(*text, nullptr, false) : Json();
    if (json.is_object()) {
      const AttemptPlan plan{json.value("nodes", std::vector<int>()), json.value("address", ""),
                             json.value("port", 0)};
      const bool ours =
          std::find(plan.nodes.begin(), plan.nodes.end(), settings_.nodeRank) != plan.nodes.end();
      if (ours) return plan;
      return failure(StatusCode::FailedPrecondition, "the run goes on without this node",
                     "it came back later than LOCKSTEP_RESTART_WAIT allows");
    }
    if (clock.now() - begin > limit) {
      return failure(StatusCode::DeadlineExceeded, "no restart: the main node has not planned it",
                     fmt::format("there was no {} for {} s", name, limit.count()),
                     "look at the log of the main node");
    }
    if (!clock.sleepFor(kPause, stop)) return cancelled();
  }
}

}  // namespace lockstep::node
