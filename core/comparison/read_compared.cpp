// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/read_compared.h"

#include "history/run_results.h"
#include "metrics/lines/printed_samples.h"
#include "metrics/read_to_end.h"

namespace lockstep {
namespace {

Result<void> addPrinted(RunServices& services, const TrainingRun& run, MetricStore& to,
                        const std::stop_token& stop) {
  const auto lines = services.lines(run);
  if (!lines) return {};
  PrintedSamples samples;
  do {
    const auto found = lines->poll(stop);
    if (!found) return failure(found.error());
    for (const LogLine& line : *found) samples.add(line.rank, line.time, line.text);
  } while (lines->isBehind());
  to.add(samples.take());
  return {};
}

}  // namespace

Result<ComparedRun> comparedRun(TrainingRun run, RunStore& store, const PriceTable& prices) {
  ComparedRun compared;
  compared.run = std::move(run);
  const RunId& id = compared.run.id;
  auto marks = store.marks(id);
  if (!marks) return failure(std::move(marks.error()));
  compared.marks = *std::move(marks);
  auto results = store.results(id);
  if (!results) return failure(std::move(results.error()));
  compared.results = *std::move(results);
  auto difference = store.difference(id);
  if (!difference) return failure(std::move(difference.error()));
  compared.codeDifference = *std::move(difference);
  compared.perHour = pricePerHour(compared.run.trainYaml, prices);
  if (compared.perHour) compared.currency = prices.currency;
  return compared;
}

Result<std::shared_ptr<const MetricStore>> readOverview(RunServices& services, const TrainingRun& run,
                                                        const std::stop_token& stop, std::size_t rawBytes) {
  MetricStore samples;
  std::uint64_t segments = 0;
  if (!run.workDir.empty()) {
    MetricReading reading{MetricDetail::Overview};
    reading.rawBytes = rawBytes;
    const auto reader = services.metrics(run, reading);
    if (!reader) return failure(reader.error());
    const ReadToEnd read = readToEnd(
        **reader,
        [&](const MetricReader::Update& update) {
          for (const CoarsePart& part : update.parts) samples.add(part);
          samples.add(update.batches);
        },
        stop);
    if (read.problem) return failure(*read.problem);
    segments = read.segmentsKnown;
  }
  if (segments == 0)
    if (auto added = addPrinted(services, run, samples, stop); !added) return failure(added.error());
  return samples.snapshot();
}

Result<void> addSamples(ComparedRun& run, RunServices& services, RunStore* store,
                        const std::stop_token& stop) {
  auto samples = readOverview(services, run.run, stop);
  if (!samples) return failure(std::move(samples.error()));
  run.samples = *std::move(samples);
  const bool isOver = isTerminal(stateOf(run.run)) && allNodesEnded(run.run);
  if (isOver && !run.results.empty()) return {};
  run.results = resultsOf(*run.samples);
  if (!isOver || store == nullptr || run.results.empty()) return {};
  const auto kept = store->keepResults(run.run.id, run.results);
  const bool isStranger = !kept && kept.error().code == ErrorCode::NotFound;  // a run of a folder
  return kept || isStranger ? Result<void>() : kept;
}

}  // namespace lockstep
