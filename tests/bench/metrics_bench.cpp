// SPDX-License-Identifier: GPL-3.0-or-later
// What metrics cost the training loop, and what drawing them costs the desktop.
#include <benchmark/benchmark.h>

#include <cmath>

#include "memory_object_store.h"
#include "metrics/metric_store.h"
#include "metrics/metric_writer.h"

namespace lockstep {
namespace {

TimePoint at(Step step) {
  return TimePoint(std::chrono::milliseconds(step));
}

/// One step's row as the trainer records it.
void recordAStep(benchmark::State& state) {
  MetricWriter writer(std::make_shared<MemoryObjectStore>(), "m", Rank(0), 1);
  Step step = 0;
  for (auto _ : state) {
    writer.record(step, at(step),
                  {{metric::kLoss, 1.5},
                   {metric::kSamplesPerSecond, 640},
                   {metric::kStepMs, 50},
                   {metric::kDataMs, 1},
                   {metric::kForwardMs, 12},
                   {metric::kBackwardMs, 30},
                   {metric::kWaitMs, 2},
                   {metric::kOptimizerMs, 3},
                   {metric::kCpuPercent, 97},
                   {metric::kMemoryBytes, 2.1e8}});
    ++step;
  }
}
BENCHMARK(recordAStep)->Iterations(500'000);

MetricSegment segmentOf(Step rows) {
  MetricSegment segment;
  for (Step i = 0; i < rows; ++i) {
    const double x = static_cast<double>(i);
    segment.append(i, at(i),
                   {{"loss", std::sin(x)}, {"samples_per_second", 640 + std::cos(x)}, {"cpu_percent", 97}});
  }
  return segment;
}

void encode(benchmark::State& state) {
  const auto segment = segmentOf(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(encodeSegment(segment));
  state.counters["bytes per row"] =
      static_cast<double>(encodeSegment(segment).size()) / static_cast<double>(state.range(0));
}
BENCHMARK(encode)->Arg(20)->Arg(1000);

void decode(benchmark::State& state) {
  const auto bytes = encodeSegment(segmentOf(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(decodeSegment(bytes));
}
BENCHMARK(decode)->Arg(20)->Arg(1000);

void downsampleToAPlot(benchmark::State& state) {
  MetricStore store;
  MetricSeriesBatch batch{"loss", Rank(0), {}};
  for (Step i = 0; i < state.range(0); ++i)
    batch.points.push_back({i, at(i), std::sin(static_cast<double>(i))});
  store.add(batch);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        store.downsampled("loss", Rank(0), 0, static_cast<double>(state.range(0)), 1000));
}
BENCHMARK(downsampleToAPlot)->Arg(10'000)->Arg(1'000'000);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
