// SPDX-License-Identifier: GPL-3.0-or-later
// What the history costs: opening the list of 10,000 runs, searching them, and the curves of 20 runs of a million steps.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <random>

#include "comparison/overlay.h"
#include "history/run_results.h"
#include "runs/run_store.h"
#include "runs/search/run_index.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

const TimePoint kBegin(1'700'000'000s);

TrainingRun runNumber(int i) {
  TrainingRun run;
  run.id = RunId("cifar-ddp-" + std::to_string(i));
  run.name = i % 7 == 0 ? "bert" : "cifar-ddp";
  run.profile = "TEAM";
  run.image = "iad.ocir.io/namespace/image:" + std::to_string(i % 20);
  run.created = kBegin + i * 600s;
  run.finished = run.created + 3600s;
  run.launchComplete = true;
  run.trainYaml = std::string(2500, '#');
  for (int node = 0; node < 4; ++node) {
    NodeRun one;
    one.id = JobRunId("ocid1.datasciencejobrun.oc1..aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" +
                      std::to_string(i * 4 + node));
    one.state = i % 5 == 0 ? JobRunState::Failed : JobRunState::Succeeded;
    one.started = run.created;
    one.finished = run.finished;
    run.nodes.push_back(one);
  }
  return run;
}

std::vector<RunResult> resultsNumber(int i) {
  std::vector<RunResult> results;
  for (const std::string_view metric :
       {metric::kAccuracy, metric::kLoss, metric::kMeanLoss, metric::kSamplesPerSecond, metric::kStepMs})
    results.push_back({std::string(metric), (i % 100) / 100.0, 1000, (i % 90) / 100.0, 900, 0.5, 0.01});
  return results;
}

/// A store of so many runs, with tags and results.
struct FilledStore {
  TempDir dir;
  std::filesystem::path path = dir.path() / "runs.sqlite";
  explicit FilledStore(int count) {
    auto store = RunStore::open(path);
    for (int i = 0; i < count; ++i) {
      if (!store->save(runNumber(i))) std::abort();
      if (i % 4 == 0 && !store->changeMarks(RunId("cifar-ddp-" + std::to_string(i)), [&](RunMarks& marks) {
            marks.tags = {"paper", "group-" + std::to_string(i % 50)};
            marks.note = "a note of some words";
          }))
        std::abort();
      if (!store->keepResults(RunId("cifar-ddp-" + std::to_string(i)), resultsNumber(i))) std::abort();
      if (i % 2 == 0 && !store->keepFindings(RunId("cifar-ddp-" + std::to_string(i)),
                                             {i % 4, i % 4 ? "warning" : "", {"straggler", "slow-link"}}))
        std::abort();
    }
  }
};

const FilledStore& filledStore() {
  static const FilledStore kStore(10'000);
  return kStore;
}

void openTheList(benchmark::State& state) {
  const auto& path = filledStore().path;
  for (auto _ : state) {
    auto store = RunStore::open(path);
    const RunIndex index(*store->summaries());
    benchmark::DoNotOptimize(index.search({}, kBegin).size());
  }
}
BENCHMARK(openTheList)->Unit(benchmark::kMillisecond);

void searchTheList(benchmark::State& state) {
  static const char* const kQueries[] = {"c", "cifar -tag:paper", "loss<0.3 state:failed image:image:1",
                                         "tag:group-12 created>2024-01-01 note:words",
                                         "nothing is like that"};
  const RunIndex index(*RunStore::open(filledStore().path)->summaries());
  const auto query = parseRunQuery(kQueries[state.range(0)], kBegin);
  if (!query) return state.SkipWithError("the search is not understood");
  std::size_t found = 0;
  for (auto _ : state) benchmark::DoNotOptimize(found = index.search(*query, kBegin).size());
  state.counters["found"] = static_cast<double>(found);
}
BENCHMARK(searchTheList)->DenseRange(0, 4)->Unit(benchmark::kMicrosecond);

std::shared_ptr<const MetricStore> longRun(int seed, Step steps) {
  MetricStore store;
  std::mt19937 random(static_cast<unsigned>(seed));
  std::normal_distribution<double> noise(0, 0.05);
  MetricSeriesBatch batch{std::string(metric::kLoss), Rank(0), {}};
  for (Step step = 0; step < steps; ++step) {
    batch.points.push_back(
        {step, kBegin + step * 50ms, 2 / (1 + static_cast<double>(step) / 1e5) + noise(random)});
    if (batch.points.size() < 50'000) continue;
    store.add(batch);
    batch.points.clear();
  }
  store.add(batch);
  return store.snapshot();
}

const std::vector<std::shared_ptr<const MetricStore>>& twentyRuns() {
  static const auto kRuns = [] {
    std::vector<std::shared_ptr<const MetricStore>> runs;
    for (int i = 0; i < 20; ++i) runs.push_back(longRun(i, 1'000'000));
    return runs;
  }();
  return kRuns;
}

void curvesOfTwentyRuns(benchmark::State& state) {
  const auto axis = state.range(0) == 0 ? OverlayAxis::Steps : OverlayAxis::Time;
  const auto& runs = twentyRuns();
  for (auto _ : state)
    for (const auto& samples : runs) {
      const auto extent = overlayExtent(*samples, metric::kLoss, axis);
      benchmark::DoNotOptimize(
          overlayOf(*samples, metric::kLoss, axis, extent->first, extent->second, 1200).size());
    }
}
BENCHMARK(curvesOfTwentyRuns)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void resultsOfTwentyRuns(benchmark::State& state) {
  const auto& runs = twentyRuns();
  for (auto _ : state)
    for (const auto& samples : runs) benchmark::DoNotOptimize(resultsOf(*samples).size());
}
BENCHMARK(resultsOfTwentyRuns)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
