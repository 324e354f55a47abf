// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/peers/heartbeat_writer.h"

#include <nlohmann/json.hpp>
#include <tuple>

#include "base/time_text.h"

namespace lockstep::trainer {

TimePoint StandingTimes::since(const PeerStanding& seen, TimePoint now) {
  const auto key = [](const Standing& one) { return std::tuple(one.phase, one.step, one.collectives); };
  const auto [found, isFirst] = last_.try_emplace(seen.rank, seen.standing, now);
  if (!isFirst && key(found->second.first) != key(seen.standing)) found->second = {seen.standing, now};
  return found->second.second;
}

std::string heartbeatText(TimePoint time, const std::vector<PeerStanding>& standings,
                          const std::vector<PeerIdentity>& peers, StandingTimes& times) {
  nlohmann::json ranks = nlohmann::json::array();
  for (const PeerStanding& one : standings) {
    nlohmann::json rank = {{"rank", one.rank},
                           {"activity", toString(one.standing.phase)},
                           {"step", one.standing.step},
                           {"collectives", one.standing.collectives},
                           {"since", toRfc3339(times.since(one, time))}};
    if (const auto index = static_cast<std::size_t>(one.rank); index < peers.size()) {
      rank["host"] = peers[index].host;
      rank["pid"] = peers[index].pid;
    }
    ranks.push_back(std::move(rank));
  }
  nlohmann::json waitingFor = nlohmann::json::array();
  for (const PeerStanding& one : stragglersAmong(standings)) waitingFor.push_back(one.rank);
  return nlohmann::json{{"time", toRfc3339(time)}, {"ranks", ranks}, {"waitingFor", waitingFor}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

HeartbeatWriter::HeartbeatWriter(std::shared_ptr<ObjectStore> store, std::string name,
                                 std::vector<PeerIdentity> peers, Source source,
                                 std::chrono::milliseconds interval)
    : store_(std::move(store)),
      name_(std::move(name)),
      peers_(std::move(peers)),
      source_(std::move(source)),
      interval_(interval),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void HeartbeatWriter::run(const std::stop_token& stop) {
  SystemClock clock;
  StandingTimes times;
  while (!stop.stop_requested()) {
    [[maybe_unused]] const auto put =
        store_->put(name_, heartbeatText(clock.now(), source_(), peers_, times), stop);
    if (!clock.sleepFor(interval_, stop)) return;
  }
}

}  // namespace lockstep::trainer
