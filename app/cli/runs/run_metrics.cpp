// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_metrics.h"

#include <fmt/format.h>

#include "diagnosis/findings_summary.h"
#include "diagnosis_view.h"
#include "history/run_results.h"
#include "launch/rank_rows.h"
#include "output.h"
#include "progress_bar.h"

namespace lockstep::cli {

std::string loadingText(std::uint64_t read, std::uint64_t known) {
  return fmt::format("loading {} of {} segments", read, known);
}

double loadedShare(std::uint64_t read, std::uint64_t known) {
  return known == 0 ? 0 : static_cast<double>(read) / static_cast<double>(known);
}

ReadToEnd readAllMetrics(MetricReader& reader, MetricStore& into, const std::stop_token& stop) {
  ProgressBar bar(true);
  const auto take = [&](const MetricReader::Update& update) {
    into.add(update.batches);
    if (update.isBehind)  // what one look has time for needs no bar
      bar.show(loadedShare(update.segmentsRead, update.segmentsKnown),
               loadingText(update.segmentsRead, update.segmentsKnown));
  };
  ReadToEnd read = readToEnd(reader, take, stop);
  if (!read.problem) return read;
  const std::uint64_t missing = read.segmentsKnown - read.segmentsRead;
  if (missing > 0 && read.problem->code != ErrorCode::Cancelled)
    read.problem->what += fmt::format(" ({} of {} segments were not read)", missing, read.segmentsKnown);
  return read;
}

namespace {

Result<std::vector<MetricSeriesBatch>> printedIn(LogSource& lines, PrintedSamples& samples) {
  do {
    const auto found = lines.poll({});
    if (!found) return failure(found.error());
    for (const LogLine& line : *found) samples.add(line.rank, line.time, line.text);
  } while (lines.isBehind());
  return samples.take();
}

/// `printed`: what tells where the ranks were.
Result<std::vector<MetricSeriesBatch>> monitoredIn(JobRunMetrics& monitored, const TrainingRun& run,
                                                   const std::vector<MetricSeriesBatch>& printed) {
  auto values = monitored.poll(run, {});
  if (!values) return failure(values.error());
  MonitoredSamples samples;
  samples.note(printed);
  samples.add(*std::move(values));
  return samples.take(run, firstRanksOf(run, samples.ranks()), SystemClock().now(), true);
}

}  // namespace

Result<ReadSamples> readSamples(const TrainingRun& run, RunServices& services, const LineChoice& lines,
                                MetricStore& into) {
  ReadSamples samples;
  if (!run.workDir.empty()) {
    const auto reader = services.metrics(run);
    if (!reader) return failure(reader.error());
    samples.read = readAllMetrics(**reader, into, {});
  }
  if (samples.read.problem || samples.read.segmentsKnown > 0) return samples;
  PrintedSamples found(lines);
  const auto source = services.lines(run);
  const auto printed = source ? printedIn(*source, found) : std::vector<MetricSeriesBatch>();
  if (!printed) warn("no samples could be read from its lines: " + describe(printed.error()));
  if (printed) into.add(*printed);
  samples.rules = found.uses();
  const auto reader = services.monitored(run);
  if (!reader || !printed) return samples;
  const auto monitored = monitoredIn(*reader, run, *printed);
  if (!monitored) warn(describe(monitored.error()));
  if (monitored) into.add(*monitored);
  return samples;
}

void addLinesOption(CLI::App& command, std::string& text) {
  command
      .add_option(
          "--lines", text,
          "where the nodes leave no metrics, which rules read the lines: 'off', rules such as keras,tqdm, or "
          "an expression of your own with named groups (default: all rules)")
      ->check([](const std::string& given) {
        const auto choice = lineChoiceFrom(given);
        return choice ? std::string() : describe(choice.error());
      });
}

void keepResults(const TrainingRun& run, const MetricStore& metrics) {
  if (isReadOnly(run)) return;
  const auto results = resultsOf(metrics);
  if (results.empty()) return;
  auto store = openRunStore();
  const auto kept = store ? (*store)->keepResults(run.id, results) : Result<void>(failure(store.error()));
  if (!kept && kept.error().code != ErrorCode::NotFound)
    warn("what the run came to is not kept: " + describe(kept.error()));
}

void keepFindings(const TrainingRun& run, const DiagnosisReport& report) {
  if (isReadOnly(run)) return;
  const RunFindings findings = findingsOf(report, mutedFindings().keysOf(run.id, report.time));
  auto store = openRunStore();
  const auto kept = store ? (*store)->keepFindings(run.id, findings) : Result<void>(failure(store.error()));
  if (!kept && kept.error().code != ErrorCode::NotFound)
    warn("what was found in the run is not kept: " + describe(kept.error()));
}

void warnOfGaps(const ReadToEnd& read) {
  if (read.unreadable)
    warn(fmt::format("{} of {} segments could not be read; the first: {}", read.unreadableSegments,
                     read.segmentsKnown, describe(*read.unreadable)));
  for (const Error& finding : read.findings) warn(describe(finding));
}

}  // namespace lockstep::cli
