// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in files: what opening costs as they grow, saving beside copying the same bytes, what other programs have recorded as it
// comes in, and a report of many ranks.
#include <benchmark/benchmark.h>

#include <fstream>
#include <memory>

#include "base/atomic_file.h"
#include "memory_object_store.h"
#include "metrics/exporting/board_folder.h"
#include "metrics/segments/metric_segment.h"
#include "portable/imports/import_run.h"
#include "portable/open_saved_run.h"
#include "portable/save_run.h"
#include "report/run_report.h"
#include "temp_dir.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr TimePoint kBegin{480'000h};
constexpr Step kRows = 200;

/// A run of so many segments of 200 rows and four quantities, in memory.
RunToSave runOf(std::int64_t segments) {
  const auto store = std::make_shared<MemoryObjectStore>();
  RunToSave what;
  what.run.id = RunId("bench");
  what.run.name = "bench";
  what.run.jobId = JobId("job");
  what.run.workDir = "oci://b@n/x";
  what.workDir = store;
  what.now = kBegin + 1h;
  for (std::int64_t i = 0; i < segments; ++i) {
    MetricSegment raw;
    raw.sequence = static_cast<std::uint64_t>(i);
    for (Step row = 0; row < kRows; ++row) {
      const Step step = i * kRows + row;
      const double value = 1.0 / static_cast<double>(step + 3);
      raw.append(step, kBegin + step * 10ms,
                 {{metric::kLoss, value},
                  {metric::kStepMs, 3 * value},
                  {metric::kDataMs, 5 * value},
                  {metric::kGpuPercent, 7 * value}});
    }
    store->set(layout::metricsFolder("job") + segmentName(raw.rank, raw.sequence), encodeSegment(raw));
  }
  return what;
}

void openFile(benchmark::State& state) {
  const TempDir temp;
  const fs::path file = temp.path() / "x.lockstep";
  if (!saveRun(runOf(state.range(0)), file, {}, {})) return state.SkipWithError("not saved");
  for (auto _ : state) benchmark::DoNotOptimize(openSavedRun(file));
  state.counters["bytes"] = static_cast<double>(fs::file_size(file));
}
BENCHMARK(openFile)->Arg(10)->Arg(1000)->Arg(50'000)->Unit(benchmark::kMillisecond);

void save(benchmark::State& state) {
  const TempDir temp;
  const RunToSave what = runOf(state.range(0));
  const fs::path file = temp.path() / "x.lockstep";
  for (auto _ : state) benchmark::DoNotOptimize(saveRun(what, file, {}, {}));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(fs::file_size(file)));
}
BENCHMARK(save)->Arg(20'000)->Unit(benchmark::kMillisecond);

// The measure: the same objects one after another into one file, synced as that is.
void copyTheSame(benchmark::State& state) {
  const TempDir temp;
  const RunToSave what = runOf(state.range(0));
  const auto& objects = std::static_pointer_cast<MemoryObjectStore>(what.workDir)->objects();
  const fs::path file = temp.path() / "x";
  for (auto _ : state) {
    benchmark::DoNotOptimize(writeFileInPieces(file, [&](const PutBytes& put) -> Result<void> {
      for (const auto& [name, bytes] : objects)
        if (auto done = put(bytes); !done) return done;
      return {};
    }));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(fs::file_size(file)));
}
BENCHMARK(copyTheSame)->Arg(20'000)->Unit(benchmark::kMillisecond);

void importTable(benchmark::State& state) {
  const TempDir temp;
  const fs::path table = temp.path() / "x.csv";
  {
    std::ofstream out(table);
    out << "step,_timestamp,loss,acc,lr\n";
    for (Step step = 0; step < state.range(0); ++step)
      out << step << ',' << 1'700'000'000 + step << ".25," << 1.0 / static_cast<double>(step + 3) << ','
          << 0.5 << ",0.001\n";
  }
  for (auto _ : state) {
    const auto runs = readForeignRuns(table, {}, {});
    benchmark::DoNotOptimize(saveImportedRun(runs->front(), temp.path() / "x.lockstep", {}));
  }
  state.SetItemsProcessed(state.iterations() * 3 * state.range(0));
}
BENCHMARK(importTable)->Arg(300'000)->Unit(benchmark::kMillisecond);

void importBoard(benchmark::State& state) {
  const TempDir temp;
  MetricStore samples;
  for (const char* name : {"loss", "lr", "acc"}) {
    MetricSeriesBatch batch{name, Rank(0), {}, {}};
    for (Step step = 0; step < state.range(0); ++step)
      batch.points.push_back({step, kBegin + step * 10ms, 1.0 / static_cast<double>(step + 3)});
    samples.add(batch);
  }
  if (!writeBoard(temp.path() / "board", samples, [](std::string_view, Rank) { return true; }, {}))
    return state.SkipWithError("not written");
  for (auto _ : state) {
    const auto runs = readForeignRuns(temp.path() / "board", {}, {});
    benchmark::DoNotOptimize(saveImportedRun(runs->front(), temp.path() / "x.lockstep", {}));
  }
  state.SetItemsProcessed(state.iterations() * 3 * state.range(0));
}
BENCHMARK(importBoard)->Arg(300'000)->Unit(benchmark::kMillisecond);

void report(benchmark::State& state) {
  TrainingRun run;
  run.id = RunId("bench");
  MetricStore samples;
  for (int rank = 0; rank < state.range(0); ++rank) {
    std::vector<MetricSeriesBatch> batches;
    for (int name = 0; name < 20; ++name) {
      batches.push_back({"q" + std::to_string(name), Rank(rank), {}, {}});
      for (Step step = 0; step < 2000; ++step)
        batches.back().points.push_back(
            {step, kBegin + step * 1s, static_cast<double>((step * 7 + name + rank) % 100)});
    }
    samples.add(batches);
  }
  std::size_t bytes = 0;
  for (auto _ : state) bytes = runReport({run, samples, {}, {}, {}, kBegin}).size();
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(report)->Arg(3)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
