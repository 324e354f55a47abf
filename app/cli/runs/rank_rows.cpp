// SPDX-License-Identifier: GPL-3.0-or-later
#include "rank_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "output.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

constexpr Step kMaxSteps = Step{1} << 53;  // what a sample can hold exactly

json numberOrNull(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

std::string cell(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

char toUpper(char c) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

/// "GPU %", of "GPU" and its unit: what is no share has no unit in a head.
std::string headOf(const RankMetricColumn& column) {
  const MetricInfo* info = findMetric(column.metric);
  if (info == nullptr) return std::string(column.metric);
  std::string head = info->shortTitle;
  std::ranges::transform(head, head.begin(), toUpper);
  if (info->unit == MetricUnit::Percent || info->unit == MetricUnit::PercentOfOneCore) head += " %";
  return head;
}

/// The name of a metric as our JSON spells its keys: `gpu_percent` is `gpuPercent` there.
std::string keyOf(std::string_view metric) {
  std::string key;
  bool isUpper = false;
  for (const char c : metric) {
    if (c != '_') key += isUpper ? toUpper(c) : c;
    isUpper = c == '_';
  }
  return key;
}

}  // namespace

json toJson(const RankRow& row) {
  json object = {{"rank", row.rank ? json(row.rank->value) : json(nullptr)},
                 {"state", toString(row.state)},
                 {"node", row.node},
                 {"step", row.step ? json(*row.step) : json(nullptr)}};
  for (const RankMetricColumn& column : rankColumns())
    object[keyOf(column.metric)] = numberOrNull(row.value(column.metric));
  return object;
}

std::string rankTable(const std::vector<RankRow>& rows, const std::map<Rank, std::string>& phases) {
  const std::vector<RankMetricColumn> columns = rankColumnsIn(&RankMetricColumn::inTerminal);
  std::vector<std::string> heading{"RANK", "STATE", "NODE", "STEPS"};
  for (const RankMetricColumn& column : columns) heading.push_back(headOf(column));
  if (!phases.empty()) heading.emplace_back("DOING");
  Table table(std::move(heading));
  for (const RankRow& row : rows) {
    std::vector<std::string> cells{row.rank ? std::to_string(row.rank->value) : "-", toString(row.state),
                                   row.node,
                                   row.step ? std::to_string(std::min(*row.step, kMaxSteps) + 1) : "-"};
    for (const RankMetricColumn& column : columns)
      cells.push_back(cell(row.value(column.metric), column.decimals));
    const auto phase = row.rank ? phases.find(*row.rank) : phases.end();
    if (!phases.empty()) cells.push_back(phase != phases.end() ? phase->second : "-");
    table.add(std::move(cells));
  }
  return table.text();
}

}  // namespace lockstep::cli
