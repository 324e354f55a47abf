// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/exporting/prometheus_text.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "base/text/encoding.h"

namespace lockstep {
namespace {

constexpr const char* kOthers = "lockstep_script_value";

std::string escaped(std::string_view text, bool isLabel) {
  std::string out;
  for (const char c : toValidUtf8(text)) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '"' && isLabel)
      out += "\\\"";
    else
      out += c;
  }
  return out;
}

std::string numberText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string labelsOf(const ExportedRun& run, const ExportedRank& rank, std::string_view quantity) {
  std::string text = fmt::format("{{rank=\"{}\"", rank.rank.value);
  const auto add = [&](const char* name, std::string_view value) {
    if (!value.empty()) text += fmt::format(",{}=\"{}\"", name, prometheusLabel(value));
  };
  add("node", rank.node);
  add("job_run", rank.jobRun);
  add("run", run.run);
  add("quantity", quantity);
  return text + "}";
}

/// What ranks measure, and what is known of it. The service's names for job runs are none of ours.
bool hasFamily(const MetricInfo* info) {
  return info != nullptr && info->source == MetricSource::Rank;
}

void addHead(std::string& text, const std::string& name, std::string_view help) {
  text += fmt::format("# HELP {} {}\n# TYPE {} gauge\n", name, escaped(help, false), name);
}

std::string helpOf(const MetricInfo& info) {
  std::string help = info.title;
  if (info.unit == MetricUnit::PercentOfOneCore) return help + ": 1 is one core";
  if (*info.note != '\0') help += fmt::format(": {}", info.note);
  return help;
}

/// All ranks' values of one quantity, below one head.
void addFamily(std::string& text, const ExportedRun& run, const MetricInfo& info) {
  const PrometheusName name = prometheusName(info);
  bool isFirst = true;
  for (const ExportedRank& rank : run.ranks) {
    const auto value = rank.values.find(info.name);
    if (value == rank.values.end()) continue;
    if (std::exchange(isFirst, false)) addHead(text, name.name, helpOf(info));
    text += fmt::format("{}{} {}\n", name.name, labelsOf(run, rank, {}),
                        numberText(value->second.value * name.factor));
  }
}

void addOthers(std::string& text, const ExportedRun& run) {
  bool isFirst = true;
  for (const ExportedRank& rank : run.ranks)
    for (const auto& [quantity, value] : rank.values) {
      if (hasFamily(findMetric(quantity))) continue;
      if (std::exchange(isFirst, false))
        addHead(text, kOthers, "What the script has recorded itself, by its quantity");
      text += fmt::format("{}{} {}\n", kOthers, labelsOf(run, rank, quantity), numberText(value.value));
    }
}

void addPlace(std::string& text, const ExportedRun& run, const char* name, const char* help,
              const std::function<std::optional<double>(const ExportedRank&)>& valueOf) {
  bool isFirst = true;
  for (const ExportedRank& rank : run.ranks) {
    const auto value = valueOf(rank);
    if (!value) continue;
    if (std::exchange(isFirst, false)) addHead(text, name, help);
    text += fmt::format("{}{} {}\n", name, labelsOf(run, rank, {}), numberText(*value));
  }
}

std::string withEnd(std::string_view name, std::string_view end, std::string_view newEnd) {
  if (name.ends_with(end)) name.remove_suffix(end.size());
  return fmt::format("lockstep_{}{}", name, newEnd);
}

}  // namespace

std::string prometheusLabel(std::string_view value) {
  return escaped(value, true);
}

PrometheusName prometheusName(const MetricInfo& info) {
  switch (info.unit) {
    case MetricUnit::Percent:
      return {withEnd(info.name, "_percent", "_ratio"), 0.01};
    case MetricUnit::PercentOfOneCore:
      return {withEnd(info.name, "_percent", "_cores"), 0.01};
    case MetricUnit::Milliseconds:
      return {withEnd(info.name, "_ms", "_seconds"), 0.001};
    case MetricUnit::Megahertz:
      return {withEnd(info.name, "_mhz", "_hertz"), 1e6};
    default:
      return {withEnd(info.name, "", ""), 1};
  }
}

std::string prometheusText(const ExportedRun& run) {
  std::string text;
  for (const MetricInfo& info : metricCatalogue())
    if (hasFamily(&info)) addFamily(text, run, info);
  addOthers(text, run);
  addPlace(text, run, "lockstep_current_step", "The step that the rank has reported last, from 0",
           [](const ExportedRank& rank) {
             return rank.step ? std::optional(static_cast<double>(*rank.step)) : std::nullopt;
           });
  addPlace(text, run, "lockstep_newest_sample_timestamp_seconds",
           "When the newest sample of the rank was taken", [](const ExportedRank& rank) {
             using Seconds = std::chrono::duration<double>;
             return rank.newest ? std::optional(Seconds(rank.newest->time_since_epoch()).count())
                                : std::nullopt;
           });
  return text;
}

}  // namespace lockstep
