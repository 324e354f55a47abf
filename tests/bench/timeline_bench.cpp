// SPDX-License-Identifier: GPL-3.0-or-later
// What the time of a run costs the desktop: which step is when (the window's thread), and the past of all ranks (a thread).
#include <benchmark/benchmark.h>

#include "timeline/run_timeline.h"
#include "timeline/stale_ranks.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kBegin(1'700'000'000s);

/// Eight quantities, a step each 100 ms.
std::shared_ptr<const MetricStore> runOf(std::int64_t ranks, Step steps) {
  constexpr std::string_view kNames[] = {metric::kLoss,      metric::kStepMs,     metric::kDataMs,
                                         metric::kForwardMs, metric::kBackwardMs, metric::kOptimizerMs,
                                         metric::kWaitMs,    metric::kCpuPercent};
  MetricStore store;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<MetricSeriesBatch> batches;
    for (const std::string_view name : kNames) {
      auto& batch = batches.emplace_back(MetricSeriesBatch{std::string(name), Rank(rank), {}});
      for (Step step = 0; step < steps; ++step)
        batch.points.push_back({step, kBegin + step * 100ms, static_cast<double>(step % 97)});
    }
    store.add(batches);
  }
  return store.snapshot();
}

void makeATimeline(benchmark::State& state) {
  const auto samples = runOf(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(RunTimeline(samples).span());
}
BENCHMARK(makeATimeline)->Args({64, 20'000})->Args({1024, 20'000})->Unit(benchmark::kMillisecond);

void stepAtATime(benchmark::State& state) {
  const auto samples = runOf(state.range(0), state.range(1));
  const RunTimeline timeline(samples);
  std::int64_t at = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        timeline.stepAt(kBegin + std::chrono::milliseconds(at = (at + 7919) % 2'000'000)));
}
BENCHMARK(stepAtATime)->Args({64, 20'000})->Args({1024, 20'000})->Unit(benchmark::kMicrosecond);

void findStaleRanks(benchmark::State& state) {
  const auto samples = runOf(state.range(0), state.range(1));
  const RunTimeline timeline(samples);
  for (auto _ : state) benchmark::DoNotOptimize(staleRanks(timeline));
}
BENCHMARK(findStaleRanks)->Args({64, 20'000})->Args({1024, 20'000})->Unit(benchmark::kMicrosecond);

void pastOfARun(benchmark::State& state) {
  const auto samples = runOf(state.range(0), state.range(1));
  const RunTimeline timeline(samples);
  std::int64_t at = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        timeline.until(kBegin + std::chrono::milliseconds(at = (at + 7919) % 2'000'000)));
}
BENCHMARK(pastOfARun)->Args({64, 20'000})->Args({1024, 20'000})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
