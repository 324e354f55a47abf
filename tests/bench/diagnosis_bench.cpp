// SPDX-License-Identifier: GPL-3.0-or-later
// What looking for findings costs: one look while a run goes on, with what each rank has recorded since the last look, and the
// first one, which goes through the past. The share of a core is that at Diagnosis::intervalFor().
#include <benchmark/benchmark.h>
#include <time.h>

#include <random>

#include "diagnosis/diagnosis.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kBegin(1'700'000'000s);
constexpr std::string_view kOfSteps[] = {
    metric::kLoss,         metric::kLearningRate,  metric::kSamplesPerSecond, metric::kStepMs,
    metric::kDataMs,       metric::kForwardMs,     metric::kBackwardMs,       metric::kWaitMs,
    metric::kTransferMs,   metric::kOptimizerMs,   metric::kOtherMs,          metric::kReducedBytes,
    metric::kGradientNorm, metric::kHostToDeviceMs};
constexpr std::string_view kOfUsage[] = {
    metric::kGpuPercent,        metric::kGpuMemoryBytes,  metric::kGpuTemperatureCelsius,
    metric::kGpuSmClockMhz,     metric::kGpuEccErrors,    metric::kGpuXid,
    metric::kCpuPercent,        metric::kMemoryBytes,     metric::kNodeCpuPercent,
    metric::kNodeMemoryPercent, metric::kNodeDiskPercent, metric::kNetworkOutBytesPerSecond};
constexpr auto kStep = 250ms;

/// That this thread has computed.
double threadSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Ranks that record a step each quarter of a second, and their usage each second.
class RecordedRun {
 public:
  explicit RecordedRun(std::int64_t ranks) : ranks_(static_cast<int>(ranks)) {}

  void record(Step steps) {
    std::vector<MetricSeriesBatch> batches;
    for (int rank = 0; rank < ranks_; ++rank) {
      for (const std::string_view name : kOfSteps) add(batches, rank, name, steps, 1);
      for (const std::string_view name : kOfUsage) add(batches, rank, name, steps, 4);
    }
    store_.add(batches);
    step_ += steps;
  }
  [[nodiscard]] Diagnosis::Seen seen() {
    const TimePoint now = kBegin + step_ * kStep;
    return {store_.snapshot(), nullptr, facts_, now, SteadyPoint(now.time_since_epoch())};
  }

 private:
  void add(std::vector<MetricSeriesBatch>& batches, int rank, std::string_view name, Step steps, Step each) {
    auto& batch = batches.emplace_back(MetricSeriesBatch{std::string(name), Rank(rank), {}});
    for (Step step = step_; step < step_ + steps; step += each)
      batch.points.push_back({step, kBegin + step * kStep, 10 + noise_(random_)});
  }

  int ranks_;
  MetricStore store_;
  RunFacts facts_;
  Step step_ = 0;
  std::mt19937 random_;
  std::uniform_real_distribution<double> noise_;
};

void lookAgain(benchmark::State& state) {
  const auto interval = Diagnosis::intervalFor(static_cast<std::size_t>(state.range(0)));
  RecordedRun run(state.range(0));
  run.record(2000);
  Diagnosis diagnosis;
  benchmark::DoNotOptimize(diagnosis.look(run.seen()));
  double seconds = 0;
  for (auto _ : state) {
    state.PauseTiming();
    run.record(interval / kStep);
    const auto seen = run.seen();
    state.ResumeTiming();
    const double begin = threadSeconds();
    benchmark::DoNotOptimize(diagnosis.look(seen));
    seconds += threadSeconds() - begin;
  }
  const double each = seconds / static_cast<double>(state.iterations());
  state.counters["% of a core"] = 100 * each / std::chrono::duration<double>(interval).count();
}
BENCHMARK(lookAgain)->Arg(8)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

void lookWithNothingNew(benchmark::State& state) {
  RecordedRun run(state.range(0));
  run.record(2000);
  Diagnosis diagnosis;
  const auto seen = run.seen();
  benchmark::DoNotOptimize(diagnosis.look(seen));
  for (auto _ : state) benchmark::DoNotOptimize(diagnosis.look(seen));
}
BENCHMARK(lookWithNothingNew)->Arg(1024)->Unit(benchmark::kMillisecond);

void firstLook(benchmark::State& state) {
  RecordedRun run(state.range(0));
  run.record(4000);
  const auto seen = run.seen();
  for (auto _ : state) {
    Diagnosis diagnosis;
    benchmark::DoNotOptimize(diagnosis.look(seen));
  }
}
BENCHMARK(firstLook)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
