// SPDX-License-Identifier: GPL-3.0-or-later
#include "health_view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/time_text.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kWorthSaying{1};

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

json textOrNull(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

json heartbeatJson(const RunHealth& health, RunStage stage, SteadyPoint now) {
  if (!health.heartbeat) return nullptr;
  json ranks = json::array();
  for (const RankHeartbeat& beat : health.heartbeat->ranks) {
    const auto lasting = stage == RunStage::Running ? standingFor(health, beat) : std::nullopt;
    ranks.push_back({{"rank", beat.rank.value},
                     {"host", textOrNull(beat.host)},
                     {"pid", beat.pid > 0 ? json(beat.pid) : json(nullptr)},
                     {"phase", textOrNull(beat.word)},
                     {"step", beat.step < 0 ? json(nullptr) : json(beat.step)},
                     {"collective", beat.collectives},
                     {"forSeconds", lasting ? json(seconds(*lasting)) : json(nullptr)}});
  }
  json waitingFor = json::array();
  for (const Rank rank : health.heartbeat->waitingFor) waitingFor.push_back(rank.value);
  return {{"time", toRfc3339(health.heartbeat->time)},
          {"ageSeconds", seconds(heartbeatAge(health, now))},
          {"ranks", std::move(ranks)},
          {"waitingFor", std::move(waitingFor)}};
}

json linkJson(const ReachMatrix& matrix, std::size_t from, std::size_t to) {
  const ReachLink& link = *matrix.link(from, to);
  return {{"from", matrix.nodes()[from].node},
          {"to", matrix.nodes()[to].node},
          {"state", toString(matrix.state(from, to))},
          {"port", link.port > 0 ? json(link.port) : json(nullptr)},
          {"ms", link.ms ? json(*link.ms) : json(nullptr)},
          {"cause", textOrNull(link.cause)}};
}

json reachJson(const RunHealth& health) {
  const ReachMatrix matrix(health.nodes);
  json nodes = json::array();
  json links = json::array();
  for (std::size_t from = 0; from < matrix.nodes().size(); ++from) {
    const ReachNode& node = matrix.nodes()[from];
    nodes.push_back({{"node", node.node},
                     {"name", textOrNull(node.name)},
                     {"address", textOrNull(node.address)},
                     {"tookPart", node.tookPart}});
    for (std::size_t to = 0; to < matrix.nodes().size(); ++to)
      if (matrix.link(from, to) != nullptr) links.push_back(linkJson(matrix, from, to));
  }
  return {{"nodes", std::move(nodes)}, {"links", std::move(links)}};
}

}  // namespace

RunStage stageOf(const TrainingRun& run) {
  const RunState state = stateOf(run);
  if (!isTerminal(state)) return RunStage::Running;
  return state == RunState::Failed ? RunStage::Failed : RunStage::Over;
}

const char* toString(LinkState state) {
  switch (state) {
    case LinkState::BothWays:
      return "both-ways";
    case LinkState::OnlyThisWay:
      return "only-this-way";
    case LinkState::OnlyBack:
      return "only-back";
    case LinkState::NeitherWay:
      return "neither-way";
    case LinkState::ThisWay:
      return "this-way";
    case LinkState::NotThisWay:
      return "not-this-way";
    case LinkState::Untested:
      break;
  }
  return "untested";
}

std::map<Rank, std::string> phaseTexts(const RunHealth& health, RunStage stage) {
  std::map<Rank, std::string> texts;
  if (!health.heartbeat || stage == RunStage::Over) return texts;
  const char* when = stage == RunStage::Failed ? "at last: " : "";
  for (const RankHeartbeat& beat : health.heartbeat->ranks) {
    const auto lasting = stage == RunStage::Running ? standingFor(health, beat) : std::nullopt;
    texts[beat.rank] =
        when + describe(beat) + (lasting && *lasting >= kWorthSaying ? ", " + lastingText(*lasting) : "");
  }
  return texts;
}

json toJson(const HealthFinding& finding) {
  return {{"code", finding.code},
          {"what", finding.what},
          {"cause", textOrNull(finding.cause)},
          {"remedy", textOrNull(finding.remedy)}};
}

json toJson(const RunHealth& health, RunStage stage, SteadyPoint now) {
  json findings = json::array();
  for (const HealthFinding& finding : findingsIn(health, stage, now)) findings.push_back(toJson(finding));
  return {{"heartbeat", heartbeatJson(health, stage, now)},
          {"reach", reachJson(health)},
          {"findings", std::move(findings)}};
}

FindingNews::News FindingNews::take(const RunHealth& health, RunStage stage, SteadyPoint now) {
  std::map<std::string, HealthFinding> found;
  News news;
  for (HealthFinding& finding : findingsIn(health, stage, now)) {
    if (!known_.contains(finding.key)) news.begun.push_back(finding);
    found.insert_or_assign(finding.key, std::move(finding));
  }
  for (auto& [key, finding] : known_)
    if (!found.contains(key)) news.over.push_back(std::move(finding));
  known_ = std::move(found);
  return news;
}

}  // namespace lockstep::cli
