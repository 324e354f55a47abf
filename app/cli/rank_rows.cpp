// SPDX-License-Identifier: GPL-3.0-or-later
#include "rank_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/bounds.h"
#include "base/plain_nan.h"
#include "output.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

constexpr Step kMostSteps = Step{1} << 53;  // what a sample can hold exactly

std::set<Rank> ranksIn(const MetricStore& metrics) {
  std::set<Rank> ranks;
  for (const std::string& name : metrics.names()) {
    for (const Rank rank : metrics.ranks(name)) ranks.insert(rank);
  }
  return ranks;
}

std::optional<double> lastOf(const MetricStore& metrics, std::string_view name, Rank rank) {
  const auto point = metrics.last(std::string(name), rank);
  return point ? std::optional(point->value) : std::nullopt;
}

RankRow rowOf(const MetricStore& metrics, const NodeRun& node, Rank rank) {
  RankRow row{rank, labelOf(node), node.state, {}, {}, {}, {}, {}, {}, {}};
  for (const std::string_view name : {metric::kStepMs, metric::kLoss}) {
    if (const auto point = metrics.last(std::string(name), rank))
      row.step = std::max(row.step.value_or(0), point->step);
  }
  row.loss = lastOf(metrics, metric::kLoss, rank);
  row.samplesPerSecond = lastOf(metrics, metric::kSamplesPerSecond, rank);
  row.accuracyPercent = lastOf(metrics, metric::kAccuracy, rank);
  row.gpuPercent = lastOf(metrics, metric::kGpuPercent, rank);
  row.cpuPercent = lastOf(metrics, metric::kCpuPercent, rank);
  row.memoryBytes = lastOf(metrics, metric::kMemoryBytes, rank);
  return row;
}

// More than any machine runs: a rank beyond as many on each node is none of theirs.
constexpr std::size_t kMostPerNode = 256;

// Ranks are numbered node by node, the same number on each.
int ranksPerNode(const std::set<Rank>& ranks, std::size_t nodes) {
  const std::size_t most = std::min<std::size_t>(nodes * kMostPerNode, kMostRanks);
  const auto beyond = ranks.lower_bound(Rank(static_cast<int>(most)));
  if (beyond == ranks.begin() || nodes == 0) return 1;
  const std::size_t count = static_cast<std::size_t>(std::prev(beyond)->value) + 1;
  return static_cast<int>(std::max<std::size_t>(1, (count + nodes - 1) / nodes));
}

json numberOrNull(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

std::string cell(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

}  // namespace

std::vector<RankRow> rankRows(const TrainingRun& run, const MetricStore& metrics) {
  std::vector<const NodeRun*> workers;
  for (const NodeRun& node : run.nodes) {
    if (node.role != NodeRole::ParameterServer) workers.push_back(&node);
  }
  const std::set<Rank> ranks = ranksIn(metrics);
  const int perNode = ranksPerNode(ranks, workers.size());
  std::vector<RankRow> rows;
  for (std::size_t n = 0; n < workers.size(); ++n) {
    for (int local = 0; local < perNode; ++local) {
      rows.push_back(rowOf(metrics, *workers[n], Rank(static_cast<int>(n) * perNode + local)));
    }
  }
  // Of a node that is not known (yet).
  const Rank next(static_cast<int>(workers.size()) * perNode);
  for (auto rank = ranks.lower_bound(next); rank != ranks.end(); ++rank)
    rows.push_back(rowOf(metrics, {}, *rank));
  for (const NodeRun& node : run.nodes) {
    if (node.role != NodeRole::ParameterServer) continue;
    RankRow row;
    row.node = labelOf(node);
    row.state = node.state;
    rows.push_back(std::move(row));
  }
  return rows;
}

json toJson(const RankRow& row) {
  return {{"rank", row.rank ? json(row.rank->value) : json(nullptr)},
          {"state", toString(row.state)},
          {"node", row.node},
          {"step", row.step ? json(*row.step) : json(nullptr)},
          {"loss", numberOrNull(row.loss)},
          {"samplesPerSecond", numberOrNull(row.samplesPerSecond)},
          {"accuracyPercent", numberOrNull(row.accuracyPercent)},
          {"gpuPercent", numberOrNull(row.gpuPercent)},
          {"cpuPercent", numberOrNull(row.cpuPercent)},
          {"memoryBytes", numberOrNull(row.memoryBytes)}};
}

std::string rankTable(const std::vector<RankRow>& rows, const std::map<Rank, std::string>& phases) {
  std::vector<std::string> heading{"RANK",      "STATE",      "NODE",  "STEPS", "LOSS",
                                   "SAMPLES/S", "ACCURACY %", "GPU %", "CPU %"};
  if (!phases.empty()) heading.emplace_back("DOING");
  Table table(std::move(heading));
  for (const RankRow& row : rows) {
    std::vector<std::string> cells{row.rank ? std::to_string(row.rank->value) : "-",
                                   toString(row.state),
                                   row.node,
                                   row.step ? std::to_string(std::min(*row.step, kMostSteps) + 1) : "-",
                                   cell(row.loss, "{:.4f}"),
                                   cell(row.samplesPerSecond, "{:.1f}"),
                                   cell(row.accuracyPercent, "{:.1f}"),
                                   cell(row.gpuPercent, "{:.0f}"),
                                   cell(row.cpuPercent, "{:.0f}")};
    const auto phase = row.rank ? phases.find(*row.rank) : phases.end();
    if (!phases.empty()) cells.push_back(phase != phases.end() ? phase->second : "-");
    table.add(std::move(cells));
  }
  return table.text();
}

double StepProgress::fraction() const {
  if (!total || *total <= 0) return 0;
  return std::clamp(static_cast<double>(step) / static_cast<double>(*total), 0.0, 1.0);
}

StepProgress stepProgress(const MetricStore& metrics) {
  StepProgress progress;
  std::optional<Step> slowest;
  const std::string name(metric::kLoss);
  for (const Rank rank : metrics.ranks(name)) {
    const auto last = metrics.last(name, rank);
    if (last) slowest = std::min(slowest.value_or(last->step), last->step);
    const auto total = metrics.last(std::string(metric::kTotalSteps), rank);
    if (total) progress.total = integerIn(total->value, 0, kMostSteps);
  }
  if (slowest) progress.step = std::min(*slowest, kMostSteps) + 1;
  return progress;
}

std::optional<double> meanLoss(const std::vector<RankRow>& rows) {
  double sum = 0;
  int count = 0;
  for (const RankRow& row : rows) {
    if (!row.loss) continue;
    sum += *row.loss;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(plainNan(sum / count));
}

std::optional<double> totalRate(const std::vector<RankRow>& rows) {
  std::optional<double> sum;
  for (const RankRow& row : rows) {
    if (row.samplesPerSecond) sum = sum.value_or(0) + *row.samplesPerSecond;
  }
  return sum;
}

}  // namespace lockstep::cli
