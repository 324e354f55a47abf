// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/exporting/otlp_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/version.h"

namespace lockstep {
namespace {

using nlohmann::ordered_json;

ordered_json attribute(const std::string& key, const std::string& value) {
  return {{"key", key}, {"value", {{"stringValue", value}}}};
}

// Integers of 64 bits and what is no number are texts in the JSON of Protocol Buffers.
ordered_json numberJson(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

ordered_json pointOf(const ExportedRank& rank, TimePoint time) {
  ordered_json point;
  point["attributes"] = ordered_json::array(
      {{{"key", "lockstep.rank"}, {"value", {{"intValue", std::to_string(rank.rank.value)}}}}});
  point["timeUnixNano"] = std::to_string(time.time_since_epoch().count());
  return point;
}

ordered_json metricOf(const std::string& name, const std::string& description, const char* unit) {
  ordered_json json;
  json["name"] = "lockstep." + name;
  if (!description.empty()) json["description"] = description;
  json["unit"] = unit;
  json["gauge"]["dataPoints"] = ordered_json::array();
  return json;
}

std::string descriptionOf(const MetricInfo* info) {
  if (info == nullptr) return {};
  const std::string title = info->title;
  return *info->note == '\0' ? title : title + ": " + info->note;
}

/// The ranks of one node.
using Ranks = std::vector<const ExportedRank*>;

ordered_json stepsOf(const Ranks& ranks) {
  ordered_json metric = metricOf("step", "The step that the rank has reported last, from 0", "1");
  for (const ExportedRank* rank : ranks) {
    if (!rank->step || !rank->newest) continue;
    ordered_json point = pointOf(*rank, *rank->newest);
    point["asInt"] = std::to_string(*rank->step);
    metric["gauge"]["dataPoints"].push_back(std::move(point));
  }
  return metric;
}

ordered_json metricsOf(const Ranks& ranks) {
  std::set<std::string> names;
  for (const ExportedRank* rank : ranks)
    for (const auto& [name, value] : rank->values) names.insert(name);
  ordered_json metrics = ordered_json::array();
  for (const std::string& name : names) {
    const MetricInfo* info = findMetric(name);
    ordered_json metric =
        metricOf(name, descriptionOf(info), ucumOf(info == nullptr ? MetricUnit::None : info->unit));
    for (const ExportedRank* rank : ranks) {
      const auto value = rank->values.find(name);
      if (value == rank->values.end()) continue;
      ordered_json point = pointOf(*rank, value->second.time);
      point["asDouble"] = numberJson(value->second.value);
      metric["gauge"]["dataPoints"].push_back(std::move(point));
    }
    metrics.push_back(std::move(metric));
  }
  ordered_json steps = stepsOf(ranks);
  if (!steps["gauge"]["dataPoints"].empty()) metrics.push_back(std::move(steps));
  return metrics;
}

ordered_json resourceOf(const ExportedRun& run, const ExportedRank& rank, OtlpAttributes attributes) {
  attributes.try_emplace("service.name", "lockstep");
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) attributes.try_emplace(name, value);
  };
  add("lockstep.run", run.run);
  add("lockstep.node", rank.node);
  add("lockstep.job_run", rank.jobRun);
  ordered_json list = ordered_json::array();
  for (const auto& [name, value] : attributes) list.push_back(attribute(name, value));
  return {{"attributes", std::move(list)}};
}

}  // namespace

const char* ucumOf(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::None:
    case MetricUnit::Count:
      return "1";
    case MetricUnit::Percent:
    case MetricUnit::PercentOfOneCore:
      return "%";
    case MetricUnit::Milliseconds:
      return "ms";
    case MetricUnit::Bytes:
      return "By";
    case MetricUnit::BytesPerSecond:
      return "By/s";
    case MetricUnit::PerSecond:
      return "1/s";
    case MetricUnit::Watts:
      return "W";
    case MetricUnit::Celsius:
      return "Cel";
    case MetricUnit::Megahertz:
      return "MHz";
  }
  return "1";
}

std::string otlpMetrics(const ExportedRun& run, const OtlpAttributes& resource) {
  std::map<std::pair<std::string, std::string>, Ranks> nodes;
  for (const ExportedRank& rank : run.ranks) nodes[{rank.jobRun, rank.node}].push_back(&rank);
  ordered_json document;
  document["resourceMetrics"] = ordered_json::array();
  for (const auto& [node, ranks] : nodes) {
    ordered_json scope;
    scope["scope"] = {{"name", "lockstep"}, {"version", LOCKSTEP_VERSION}};
    scope["metrics"] = metricsOf(ranks);
    if (scope["metrics"].empty()) continue;
    ordered_json one;
    one["resource"] = resourceOf(run, *ranks.front(), resource);
    one["scopeMetrics"] = ordered_json::array({std::move(scope)});
    document["resourceMetrics"].push_back(std::move(one));
  }
  return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace lockstep
