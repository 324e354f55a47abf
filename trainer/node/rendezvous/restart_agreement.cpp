// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/rendezvous/restart_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "trainer/node/settings/beginning.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::milliseconds kPause{500};
constexpr std::chrono::seconds kLateNotice{30};  // others may notice a failure later than we did

tl::unexpected<Error> cancelled() {
  return failure(ErrorCode::Cancelled, "told to stop while waiting for a restart");
}

std::string namesOf(const std::vector<int>& nodes) {
  std::string names;
  for (const int node : nodes)
    names +=
        (names.empty() ? "" : ", ") + (node == 0 ? std::string("main") : fmt::format("worker_{}", node - 1));
  return names;
}

}  // namespace

Result<void> RestartAgreement::announce(int attempt, const std::stop_token& stop) {
  const Json json = {{"node", settings_.nodeRank}, {"jobRun", settings_.jobRunId}};
  return store_->put(
      fmt::format("{}node-{}.json", layout::attemptFolder(settings_.jobId, attempt), settings_.nodeRank),
      json.dump(), stop);
}

Result<RestartAgreement::Meeting> RestartAgreement::meeting(int attempt, const Stand& stand,
                                                            const std::stop_token& stop) {
  const std::string prefix = layout::attemptFolder(settings_.jobId, attempt) + "node-";
  const auto objects = store_->list(prefix, {}, stop);
  if (!objects) return failure(objects.error());
  std::set<std::string> names;
  for (const ObjectInfo& object : *objects) names.insert(object.name);
  Meeting meeting;
  for (const int node : stand.members) {
    const bool isOther = node != settings_.nodeRank;
    const bool isGone = isOther && stand.isGone(node);
    // One that has announced itself and was lost since is missing as well.
    const bool isLost = isGone || (isOther && stand.isLost(node));
    const bool came = !isLost && names.contains(fmt::format("{}{}.json", prefix, node));
    (came ? meeting.came : meeting.missing).push_back(node);
    if (isGone) meeting.gone.push_back(node);
  }
  return meeting;
}

bool RestartAgreement::isEnough(std::size_t nodes, const Stand& stand) const {
  if (nodes == stand.members.size()) return true;
  return settings_.minNodes > 0 && static_cast<int>(nodes) >= settings_.minNodes;
}

Error RestartAgreement::tooFew(int attempt, const Meeting& meeting, const Stand& stand) const {
  const bool allGone = meeting.gone.size() == meeting.missing.size();
  if (meeting.missing.empty())
    return failure(
               ErrorCode::DeadlineExceeded,
               fmt::format("no restart {}: {} has not planned it", attempt, namesOf({meeting.came.front()})),
               fmt::format("it is the first of {} nodes that came", meeting.came.size()), "look at its log")
        .value();
  const std::size_t wanted =
      settings_.minNodes > 0 ? static_cast<std::size_t>(settings_.minNodes) : stand.members.size();
  Error error;
  error.code = ErrorCode::DeadlineExceeded;
  error.what =
      fmt::format("no restart {}: {} {}", attempt, namesOf(meeting.missing),
                  allGone ? (meeting.missing.size() == 1 ? "is gone" : "are gone")
                          : fmt::format("did not come back within {} s", settings_.restartWait.count()));
  error.cause = fmt::format("{} of {} nodes are left, and {} are wanted", meeting.came.size(),
                            stand.members.size(), wanted);
  error.remedy = fmt::format("set LOCKSTEP_MIN_NODES={} to go on with fewer nodes", meeting.came.size());
  return error;
}

Result<std::optional<AttemptPlan>> RestartAgreement::planOf(int attempt, const std::stop_token& stop) {
  const auto text = store_->get(layout::attemptFolder(settings_.jobId, attempt) + "plan.json", stop);
  if (!text && text.error().code != ErrorCode::NotFound) return failure(text.error());
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object()) return std::optional<AttemptPlan>();
  try {
    return std::optional(AttemptPlan{json.at("nodes"), json.at("address"), json.at("port")});
  } catch (const Json::exception& error) {
    return failure(ErrorCode::DataLoss, fmt::format("the plan of restart {} cannot be read", attempt),
                   error.what());
  }
}

Result<void> RestartAgreement::writePlan(int attempt, const Meeting& meeting, const Stand& stand,
                                         const std::stop_token& stop) {
  const auto port = stand.openPort();
  if (!port) return failure(port.error());
  const Json json = {{"nodes", meeting.came}, {"address", stand.address}, {"port", *port}};
  auto told =
      store_->putNew(layout::attemptFolder(settings_.jobId, attempt) + "plan.json", json.dump(), stop);
  // Another node held itself for the first, and was quicker: its plan is ours.
  if (!told && told.error().code != ErrorCode::AlreadyExists) return told;
  return {};
}

Result<AttemptPlan> RestartAgreement::agree(int attempt, const Stand& stand,
                                            const std::function<std::optional<std::string>()>& failedAlready,
                                            Clock& clock, const std::stop_token& stop) {
  const Beginning begin(clock);
  while (true) {
    const auto plan = planOf(attempt, stop);
    if (!plan) return failure(plan.error());
    if (*plan) return **plan;
    if (const auto told = failedAlready()) return failure(ErrorCode::FailedPrecondition, *told);
    const auto now = meeting(attempt, stand, stop);
    if (!now) return failure(now.error());
    const auto waited = begin.passed(clock);
    const bool isOver = now->missing.size() == now->gone.size() || waited > settings_.restartWait;
    const bool isFirst = !now->came.empty() && now->came.front() == settings_.nodeRank;
    if (isOver && isFirst) {
      if (!isEnough(now->came.size(), stand)) return failure(tooFew(attempt, *now, stand));
      if (auto told = writePlan(attempt, *now, stand, stop); !told) return failure(told.error());
      continue;
    }
    if (waited > settings_.restartWait + kLateNotice) return failure(tooFew(attempt, *now, stand));
    if (!clock.sleepFor(kPause, stop)) return cancelled();
  }
}

}  // namespace lockstep::node
