// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "cli.h"
#include "launch/rank_rows.h"
#include "metrics/exporting/board_folder.h"
#include "metrics/exporting/prometheus_text.h"
#include "metrics/metric_store.h"
#include "metrics/sample_csv.h"
#include "output.h"
#include "run_metrics.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kPiece = 1 << 20;  // bytes that are written at a time

struct Options {
  std::string run, format = "csv", file, lines;
  std::vector<int> ranks;
  std::vector<std::string> names;
};

bool isWanted(const Options& options, const std::string& name, Rank rank) {
  const bool nameFits =
      options.names.empty() || std::count(options.names.begin(), options.names.end(), name) > 0;
  return nameFits &&
         (options.ranks.empty() || std::count(options.ranks.begin(), options.ranks.end(), rank.value) > 0);
}

using WriteSeries = std::function<Result<void>(const std::string& name, Rank rank)>;

Result<void> forEachSeries(const Options& options, const MetricStore& metrics, const WriteSeries& write) {
  for (const std::string& name : metrics.names()) {
    for (const Rank rank : metrics.ranks(name)) {
      if (!isWanted(options, name, rank)) continue;
      if (auto done = write(name, rank); !done) return done;
    }
  }
  return {};
}

Result<void> writeCsv(const Options& options, const MetricStore& metrics, const PutBytes& put) {
  if (auto done = put(kSampleCsvHead); !done) return done;
  return forEachSeries(options, metrics, [&](const std::string& name, Rank rank) {
    return put(sampleCsv(metrics, name, rank));
  });
}

json numberOf(double value) {  // JSON knows neither NaN nor infinities
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

/// A row as it stands in the array: each of its lines one blank further in.
std::string rowText(const std::string& name, Rank rank, const MetricPoint& point) {
  const json row{{"rank", rank.value},
                 {"name", name},
                 {"step", point.step},
                 {"time", toRfc3339(point.time)},
                 {"value", numberOf(point.value)}};
  std::string text;
  for (const char c : row.dump(1, ' ', false, json::error_handler_t::replace)) {
    text += c;
    if (c == '\n') text += ' ';
  }
  return text;
}

Result<void> writeJson(const Options& options, const MetricStore& metrics, const PutBytes& put) {
  const char* before = "[\n ";
  const auto done = forEachSeries(options, metrics, [&](const std::string& name, Rank rank) -> Result<void> {
    std::string rows;
    for (const MetricPoint& point : metrics.series(name, rank)) {
      rows += std::exchange(before, ",\n ") + rowText(name, rank, point);
      if (rows.size() < kPiece) continue;
      if (auto written = put(std::exchange(rows, {})); !written) return written;
    }
    return put(rows);
  });
  if (!done) return done;
  return put(*before == '[' ? "[]\n" : "\n]\n");
}

/// The newest values alone, in the words that the nodes have for Prometheus.
Result<void> writePrometheus(const Options& options, const TrainingRun& run, const MetricStore& metrics,
                             const PutBytes& put) {
  ExportedRun exported{run.id.value, {}};
  for (const auto& [rank, node] : nodesOfRanks(run, ranksIn(metrics))) {
    if (!rank) continue;
    ExportedRank row = exportedRank(metrics, *rank);
    std::erase_if(row.values, [&](const auto& value) { return !isWanted(options, value.first, *rank); });
    if (row.values.empty()) continue;
    if (node != nullptr) row.node = labelOf(*node);
    if (node != nullptr) row.jobRun = node->id.value;
    exported.ranks.push_back(std::move(row));
  }
  return put(prometheusText(exported));
}

Result<void> writeSamples(const Options& options, const TrainingRun& run, const MetricStore& metrics,
                          const PutBytes& put) {
  if (options.format == "prometheus") return writePrometheus(options, run, metrics, put);
  return options.format == "json" ? writeJson(options, metrics, put) : writeCsv(options, metrics, put);
}

// All or a failure: a script must not take half of a run for the whole.
Result<MetricStore> readMetrics(const Options& options, const TrainingRun& run, RunServices& services) {
  const auto lines = lineChoiceFrom(options.lines);
  if (!lines) return failure(lines.error());
  MetricStore metrics;
  const auto samples = readSamples(run, services, *lines, metrics);
  if (!samples) return failure(samples.error());
  if (samples->read.problem) return failure(*samples->read.problem);
  warnOfGaps(samples->read);
  return metrics;
}

int folderIsMissing() {
  note("--format tensorboard writes a folder: name it with -o");
  return kUsage;
}

int writeBoard(const Options& options, const MetricStore& samples) {
  const auto written = lockstep::writeBoard(
      options.file, samples,
      [&](std::string_view name, Rank rank) { return isWanted(options, std::string(name), rank); }, {});
  if (!written) return failed(written.error());
  note(fmt::format("look at it with: tensorboard --logdir {}", options.file));
  return kDone;
}

int metrics(const Options& options, const GlobalOptions& global) {
  if (options.format == "tensorboard" && options.file.empty()) return folderIsMissing();
  auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  if (!access->services) return failed(access->services.error());
  const auto samples = readMetrics(options, access->run, *access->services);
  if (!samples) return failed(samples.error());
  if (samples->sampleCount() == 0) note("no samples yet");
  if (options.format == "tensorboard") return writeBoard(options, *samples);
  const auto print = [](std::string_view bytes) -> Result<void> {
    printDocument(bytes);
    return {};
  };
  const auto write = [&](const PutBytes& put) { return writeSamples(options, access->run, *samples, put); };
  const auto written = options.file.empty() ? write(print) : writeFileInPieces(options.file, write);
  return written ? kDone : failed(written.error());
}

}  // namespace

void addMetricsCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("metrics", "Print the samples of a run");
  command->add_option("RUN", options->run, kReadableRunHelp)->required();
  auto* format =
      command
          ->add_option("--format", options->format,
                       "csv or json; prometheus: the newest values alone, as a node tells them; or "
                       "tensorboard: a folder of event files, named with -o")
          ->check(CLI::IsMember({"csv", "json", "prometheus", "tensorboard"}))
          ->capture_default_str();
  command
      ->add_flag_callback(
          "--prometheus", [options] { options->format = "prometheus"; }, "the same as --format prometheus")
      ->excludes(format);
  command->add_option("--rank", options->ranks, "only this rank (may be given several times)")
      ->check(CLI::NonNegativeNumber);
  command->add_option(
      "--name", options->names,
      fmt::format("only this quantity, such as {} (may be given several times)", metric::kLoss));
  addLinesOption(*command, options->lines);
  command->add_option("-o,--output", options->file, "write into this file, or folder, instead of stdout");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return metrics(*options, cli.global); }; });
}

}  // namespace lockstep::cli
