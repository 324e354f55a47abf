// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "cli.h"
#include "comparison/overlay.h"
#include "comparison/read_compared.h"
#include "comparison/run_difference.h"
#include "comparison/verdict.h"
#include "output.h"
#include "run_view.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

constexpr int kRowsInTerminal = 16, kRowsInJson = 256;

struct Options {
  std::vector<std::string> runs;
  std::string metric, by;
  bool json = false;
};

/// A run with what is stored about it, and what it has measured where that is needed.
Result<ComparedRun> comparedHere(const std::string& reference, const Options& options,
                                 const GlobalOptions& global, RunStore& store, const PriceTable& prices) {
  auto access = accessRun(reference, global, RetryMode::OneLook);
  if (!access) return failure(std::move(access.error()));
  if (access->services && !(isTerminal(stateOf(access->run)) && allNodesEnded(access->run)))
    if (auto now = access->services->launcher()->refresh(access->run, {})) access->run = *std::move(now);
  auto compared = comparedRun(std::move(access->run), store, prices);
  if (!compared) return compared;
  const bool isOver = isTerminal(stateOf(compared->run)) && allNodesEnded(compared->run);
  if (isOver && !compared->results.empty() && options.by.empty()) return compared;
  const auto added = access->services ? addSamples(*compared, *access->services, &store, {})
                                      : Result<void>(failure(access->services.error()));
  if (!added)
    warn(fmt::format("what {} has measured cannot be read: {}", reference, describe(added.error())));
  return compared;
}

RunCost costNow(const ComparedRun& run) {
  RunSummary summary = summaryOf(run.run);
  summary.perHour = run.perHour;
  summary.currency = run.currency;
  return costOf(summary, SystemClock().now());
}

std::string meanText(const RunResult& result) {
  if (!result.mean) return "-";
  const RoundedNumber number =
      rounded(*result.mean, result.error ? std::optional(kSureErrors * *result.error) : std::nullopt);
  return number.uncertainty.empty() ? number.value : number.value + " ± " + number.uncertainty;
}

std::vector<std::string> headed(const std::string& head, const std::vector<std::string>& labels) {
  std::vector<std::string> row{head};
  row.insert(row.end(), labels.begin(), labels.end());
  return row;
}

template <class CellOf>
std::vector<std::string> rowOf(std::string head, const std::vector<ComparedRun>& runs, CellOf cellOf) {
  std::vector<std::string> row{std::move(head)};
  for (const ComparedRun& run : runs) row.push_back(cellOf(run));
  return row;
}

void printResults(const std::vector<ComparedRun>& runs) {
  const TimePoint now = SystemClock().now();
  Table table(headed("RESULT", labelsOf(runs)));
  table.add(
      rowOf("state", runs, [](const ComparedRun& run) { return std::string(toString(stateOf(run.run))); }));
  table.add(rowOf("elapsed", runs,
                  [&](const ComparedRun& run) { return elapsedText(elapsedOf(summaryOf(run.run), now)); }));
  table.add(rowOf("cost", runs, [](const ComparedRun& run) { return costText(costNow(run)); }));
  for (const std::string& metric : metricsOf(runs)) {
    const auto cells = [&](const char* what, auto cellOf) {
      table.add(rowOf(metric + what, runs, [&](const ComparedRun& run) {
        const RunResult* result = resultNamed(run.results, metric);
        return result == nullptr ? std::string("-") : cellOf(*result);
      }));
    };
    const bool hasBest = std::any_of(runs.begin(), runs.end(), [&](const ComparedRun& run) {
      const RunResult* result = resultNamed(run.results, metric);
      return result != nullptr && result->best;
    });
    cells(" last", [](const RunResult& result) { return numberText(result.last); });
    if (hasBest) cells(" best", [](const RunResult& result) { return numberText(result.best); });
    cells(" mean", meanText);
  }
  printText(table.text());
}

void printDifferences(const std::vector<ComparedRun>& runs) {
  const auto rows = differencesOf(runs);
  if (!rows.empty()) {
    printText("\n");
    Table table(headed("DIFFERENCE", labelsOf(runs)));
    for (const DifferenceRow& row : rows) {
      std::vector<std::string> cells{fmt::format("{}: {}", toString(row.area), row.name)};
      for (const auto& value : row.values) cells.push_back(value.value_or("-"));
      table.add(std::move(cells));
    }
    printText(table.text());
  }
  if (runs.size() != 2) return;
  const std::string difference = trainYamlDifference(runs[0], runs[1]);
  if (!difference.empty()) printText("\n" + difference);
}

/// From where to where the curves of all of them go.
std::optional<std::pair<double, double>> extentOf(const std::vector<ComparedRun>& runs,
                                                  const std::string& metric, OverlayAxis axis) {
  std::optional<std::pair<double, double>> whole;
  for (const ComparedRun& run : runs) {
    const auto extent = run.samples ? overlayExtent(*run.samples, metric, axis) : std::nullopt;
    if (!extent) continue;
    whole = whole ? std::pair(std::min(whole->first, extent->first), std::max(whole->second, extent->second))
                  : *extent;
  }
  return whole;
}

/// The last value of a curve by then.
std::optional<double> valueAt(const std::vector<OverlayPoint>& curve, double from, double x) {
  std::optional<double> value;
  for (const OverlayPoint& point : curve)
    if (point.x > from && point.x <= x) value = point.value;
  return value;
}

std::vector<std::vector<OverlayPoint>> curvesOf(const std::vector<ComparedRun>& runs,
                                                const std::string& metric, OverlayAxis axis,
                                                std::pair<double, double> extent, int columns) {
  std::vector<std::vector<OverlayPoint>> curves;
  for (const ComparedRun& run : runs)
    curves.push_back(run.samples ? overlayOf(*run.samples, metric, axis, extent.first, extent.second, columns)
                                 : std::vector<OverlayPoint>());
  return curves;
}

void printCurves(const std::vector<ComparedRun>& runs, const std::string& metric, OverlayAxis axis) {
  const auto extent = extentOf(runs, metric, axis);
  if (!extent) return note(fmt::format("no run has a curve of '{}'", metric));
  const auto curves = curvesOf(runs, metric, axis, *extent, kRowsInTerminal * 8);
  const bool isByTime = axis == OverlayAxis::Time;
  Table table(headed(fmt::format("{} BY {}", metric, isByTime ? "TIME" : "STEP"), labelsOf(runs)));
  double before = extent->first - 1;
  for (int row = 1; row <= kRowsInTerminal; ++row) {
    const double x = extent->first + (extent->second - extent->first) * row / kRowsInTerminal;
    const auto seconds =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(x));
    std::vector<std::string> cells{isByTime ? elapsedText(seconds) : fmt::format("{:.0f}", x)};
    for (const auto& curve : curves) cells.push_back(numberText(valueAt(curve, before, x)));
    table.add(std::move(cells));
    before = x;
  }
  printText("\n" + table.text());
}

json curvesJson(const std::vector<ComparedRun>& runs, const std::string& metric, OverlayAxis axis) {
  const auto extent = extentOf(runs, metric, axis);
  json document = json::array();
  if (!extent) return document;
  for (const auto& curve : curvesOf(runs, metric, axis, *extent, kRowsInJson)) {
    json points = json::array();
    for (const OverlayPoint& point : curve) points.push_back({point.x, point.value});
    document.push_back(std::move(points));
  }
  return document;
}

json differencesJson(const std::vector<ComparedRun>& runs) {
  json rows = json::array();
  for (const DifferenceRow& row : differencesOf(runs)) {
    json values = json::array();
    for (const auto& value : row.values) values.push_back(value ? json(*value) : json(nullptr));
    rows.push_back({{"area", toString(row.area)}, {"name", row.name}, {"values", std::move(values)}});
  }
  return rows;
}

json verdictJson(const std::vector<ComparedRun>& runs, const std::string& metric) {
  const Verdict verdict = verdictOn(runs, metric);
  if (verdict.kind == Verdict::Kind::Unknown) return nullptr;
  return {{"metric", metric},
          {"clear", verdict.kind == Verdict::Kind::Clear},
          {"best", runs[verdict.best].run.id.value},
          {"next", runs[verdict.next].run.id.value},
          {"difference", verdict.difference},
          {"uncertainty", verdict.uncertainty ? json(*verdict.uncertainty) : json(nullptr)},
          {"text", verdictLine(runs, metric)}};
}

void printAsJson(const std::vector<ComparedRun>& runs, const std::string& metric, const Options& options) {
  json rows = json::array();
  for (const ComparedRun& run : runs) {
    json& row = rows.emplace_back(toJson(run.run));
    row["marks"] = toJson(run.marks);
    row["results"] = toJson(run.results);
    row["cost"] = toJson(costNow(run));
  }
  json document{{"runs", std::move(rows)},
                {"metric", metric},
                {"differences", differencesJson(runs)},
                {"verdict", verdictJson(runs, metric)}};
  json texts = json::array();
  for (std::size_t i = 1; i < runs.size(); ++i) texts.push_back(trainYamlDifference(runs[0], runs[i]));
  document["trainYaml"] = std::move(texts);
  if (!options.by.empty())
    document["curves"] =
        curvesJson(runs, metric, options.by == "time" ? OverlayAxis::Time : OverlayAxis::Steps);
  printJson(document);
}

int compare(const Options& options, const GlobalOptions& global) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const PriceTable prices = pricesHere();
  std::vector<ComparedRun> runs;
  for (const std::string& reference : options.runs) {
    auto run = comparedHere(reference, options, global, **store, prices);
    if (!run) return failed(run.error());
    runs.push_back(*std::move(run));
  }
  const std::string metric = options.metric.empty() ? mainMetricOf(runs) : options.metric;
  if (options.json) {
    printAsJson(runs, metric, options);
    return kDone;
  }
  const std::string verdict = verdictLine(runs, metric);
  printLine(painted(verdict.empty() ? "nothing tells which of them is better" : verdict, Tone::Strong));
  printText("\n");
  printResults(runs);
  printDifferences(runs);
  if (!options.by.empty())
    printCurves(runs, metric, options.by == "time" ? OverlayAxis::Time : OverlayAxis::Steps);
  return kDone;
}

}  // namespace

void addCompareCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "compare", "Lay 2 to 20 runs beside each other: which is better, what came of them, what was other");
  command->add_option("RUN", options->runs, kReadableRunHelp)
      ->required()
      ->expected(2, static_cast<int>(kMostCompared));
  command->add_option("--metric", options->metric,
                      "what the verdict and the curves are of (default: the loss)");
  command->add_option("--by", options->by, "the curves, too, beside each other by step or by time")
      ->check(CLI::IsMember({"step", "time"}));
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return compare(*options, cli.global); }; });
}

}  // namespace lockstep::cli
