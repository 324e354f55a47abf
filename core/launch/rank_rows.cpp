// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rank_rows.h"

#include <algorithm>
#include <iterator>

#include "base/bounds.h"
#include "base/plain_nan.h"

namespace lockstep {
namespace {

// More than any machine runs: a rank beyond as many on each node is none of theirs.
constexpr std::size_t kMaxPerNode = 256;

// `machines`: several stand behind one job run of a native multi-node job.
int ranksPerNode(const std::set<Rank>& ranks, std::size_t nodes, std::size_t machines) {
  const std::size_t max = std::min<std::size_t>(machines * kMaxPerNode, kMaxRanks);
  const auto beyond = ranks.lower_bound(Rank(static_cast<int>(max)));
  if (beyond == ranks.begin() || nodes == 0) return 1;
  const std::size_t count = static_cast<std::size_t>(std::prev(beyond)->value) + 1;
  return static_cast<int>(std::max<std::size_t>(1, (count + nodes - 1) / nodes));
}

RankRow rowOf(const MetricStore& metrics, const NodeOfRank& place) {
  RankRow row;
  if (place.rank) static_cast<RankValues&>(row) = rankValues(metrics, *place.rank);
  row.rank = place.rank;
  if (place.node == nullptr) return row;
  row.node = labelOf(*place.node);
  row.state = place.node->state;
  return row;
}

std::optional<double> acrossRanks(const std::vector<RankRow>& rows, std::string_view metric) {
  std::vector<double> values;
  for (const RankRow& row : rows) {
    if (const auto value = row.value(metric)) values.push_back(*value);
  }
  const MetricInfo* info = findMetric(metric);
  return valueAcross(info == nullptr ? AcrossRanks::Mean : info->across, values);
}

}  // namespace

std::vector<NodeOfRank> nodesOfRanks(const TrainingRun& run, const std::set<Rank>& ranks) {
  std::vector<const NodeRun*> workers, servers;
  for (const NodeRun& node : run.nodes)
    (node.role == NodeRole::ParameterServer ? servers : workers).push_back(&node);
  std::size_t machines = 0;
  for (const NodeRun* node : workers)
    machines += static_cast<std::size_t>(std::clamp(node->nodes, 1, kMaxRanks));
  const int perNode = ranksPerNode(ranks, workers.size(), machines);
  std::vector<NodeOfRank> places;
  int next = 0;
  for (const NodeRun* node : workers) {
    for (int local = 0; local < perNode; ++local) places.push_back({Rank(next++), node});
  }
  for (auto rank = ranks.lower_bound(Rank(next)); rank != ranks.end(); ++rank)
    places.push_back({*rank, nullptr});
  for (const NodeRun* node : servers) places.push_back({std::nullopt, node});
  return places;
}

std::optional<Rank> onlyRankOf(const TrainingRun& run, const std::set<Rank>& ranks, const NodeRun& node) {
  std::optional<Rank> only;
  for (const NodeOfRank& place : nodesOfRanks(run, ranks)) {
    if (place.node != &node) continue;
    if (only) return std::nullopt;
    only = place.rank;
  }
  return only;
}

std::map<std::string, Rank> firstRanksOf(const TrainingRun& run, const std::set<Rank>& ranks) {
  std::map<std::string, Rank> first;
  for (const NodeOfRank& place : nodesOfRanks(run, ranks))
    if (place.rank && place.node != nullptr) first.emplace(place.node->id.value, *place.rank);
  return first;
}

std::vector<RankRow> rankRows(const TrainingRun& run, const MetricStore& metrics) {
  std::vector<RankRow> rows;
  for (const NodeOfRank& place : nodesOfRanks(run, ranksIn(metrics))) rows.push_back(rowOf(metrics, place));
  return rows;
}

std::optional<double> meanLoss(const std::vector<RankRow>& rows) {
  const auto mean = acrossRanks(rows, metric::kLoss);
  return mean ? std::optional(plainNan(*mean)) : std::nullopt;
}

std::optional<double> totalRate(const std::vector<RankRow>& rows) {
  return acrossRanks(rows, metric::kSamplesPerSecond);
}

}  // namespace lockstep
