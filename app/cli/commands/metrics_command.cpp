// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "cli.h"
#include "metrics/metric_store.h"
#include "metrics/sample_csv.h"
#include "output.h"
#include "run_metrics.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Options {
  std::string run, format = "csv", file;
  std::vector<int> ranks;
  std::vector<std::string> names;
};

bool isWanted(const Options& options, const std::string& name, Rank rank) {
  const bool nameFits =
      options.names.empty() || std::count(options.names.begin(), options.names.end(), name) > 0;
  return nameFits &&
         (options.ranks.empty() || std::count(options.ranks.begin(), options.ranks.end(), rank.value) > 0);
}

template <class Action>
void forEachSeries(const Options& options, const MetricStore& metrics, Action action) {
  for (const std::string& name : metrics.names()) {
    for (const Rank rank : metrics.ranks(name)) {
      if (isWanted(options, name, rank)) action(name, rank);
    }
  }
}

std::string csvOf(const Options& options, const MetricStore& metrics) {
  std::string text(kSampleCsvHead);
  forEachSeries(options, metrics,
                [&](const std::string& name, Rank rank) { text += sampleCsv(metrics, name, rank); });
  return text;
}

json numberOf(double value) {  // JSON knows neither NaN nor infinities
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

std::string jsonText(const Options& options, const MetricStore& metrics) {
  json rows = json::array();
  forEachSeries(options, metrics, [&](const std::string& name, Rank rank) {
    for (const MetricPoint& point : metrics.series(name, rank))
      rows.push_back({{"rank", rank.value},
                      {"name", name},
                      {"step", point.step},
                      {"time", toRfc3339(point.time)},
                      {"value", numberOf(point.value)}});
  });
  return rows.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

// All or a failure: a script must not take half of a run for the whole.
Result<MetricStore> readMetrics(const TrainingRun& run, RunServices& services) {
  auto reader = services.metrics(run);
  if (!reader) return failure(std::move(reader.error()));
  MetricStore metrics;
  const ReadToEnd read = readAllMetrics(**reader, metrics, {});
  if (read.problem) return failure(*read.problem);
  warnOfGaps(read);
  return metrics;
}

int metrics(const Options& options, const GlobalOptions& global) {
  auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  if (!access->services) return failed(access->services.error());
  const auto samples = readMetrics(access->run, *access->services);
  if (!samples) return failed(samples.error());
  if (samples->sampleCount() == 0) note("no samples yet");
  const std::string text = options.format == "json" ? jsonText(options, *samples) : csvOf(options, *samples);
  if (options.file.empty()) {
    printDocument(text);
    return kDone;
  }
  const auto written = writeFileAtomically(options.file, text);
  return written ? kDone : failed(written.error());
}

}  // namespace

void addMetricsCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("metrics", "Print the samples of a run");
  command->add_option("RUN", options->run, kReadableRunHelp)->required();
  command->add_option("--format", options->format, "csv or json")
      ->check(CLI::IsMember({"csv", "json"}))
      ->capture_default_str();
  command->add_option("--rank", options->ranks, "only this rank (may be given several times)")
      ->check(CLI::NonNegativeNumber);
  command->add_option(
      "--name", options->names,
      fmt::format("only this quantity, such as {} (may be given several times)", metric::kLoss));
  command->add_option("-o,--output", options->file, "write into this file instead of stdout");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return metrics(*options, cli.global); }; });
}

}  // namespace lockstep::cli
