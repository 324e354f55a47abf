// SPDX-License-Identifier: GPL-3.0-or-later
// What the heat map of many ranks costs: its first picture, and a frame while it is moved.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <algorithm>
#include <chrono>
#include <vector>

#include "widgets/metrics/rank_heat_map.h"
#include "widgets/metrics/rank_views/heat_canvas.h"

namespace lockstep {
namespace {

std::shared_ptr<const MetricStore> filled(int ranks, Step steps) {
  MetricStore store;
  for (int rank = 0; rank < ranks; ++rank) {
    MetricSeriesBatch batch{std::string(metric::kStepMs), Rank(rank), {}};
    for (Step i = 0; i < steps; ++i)
      batch.points.push_back({i, TimePoint(std::chrono::milliseconds(100 * i)),
                              static_cast<double>(80 + (i * 7919 + rank) % 13)});
    store.add(batch);
  }
  return store.snapshot();
}

std::unique_ptr<RankHeatMap> shown(const std::shared_ptr<const MetricStore>& metrics) {
  auto map = std::make_unique<RankHeatMap>();
  map->resize(1200, 700);
  map->setMetrics(metrics);
  map->show();
  return map;
}

double millisecondsOf(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Until every cell in sight is computed, in the slices that the window stays alive between.
void firstPicture(benchmark::State& state) {
  const auto metrics = filled(static_cast<int>(state.range(0)), state.range(1));
  for (auto _ : state) {
    const auto map = shown(metrics);
    do QApplication::processEvents();
    while (!map->canvas()->isFinished());
  }
}
BENCHMARK(firstPicture)->Args({64, 100'000})->Args({1024, 100'000})->Unit(benchmark::kMillisecond);

/// Frames while the map is moved by some pixels each over a hundredth of the run, its quarter and its half.
void pan(benchmark::State& state) {
  const auto metrics = filled(static_cast<int>(state.range(0)), state.range(1));
  const double steps = static_cast<double>(state.range(1)),
               width = steps * static_cast<double>(state.range(2)) / 100;
  const auto map = shown(metrics);
  map->refreshNow();
  std::vector<double> frames;
  double from = 0, by = width / 60;
  for (auto _ : state) {
    if (from + by < 0 || from + by + width > steps) by = -by;
    from += by;
    frames.push_back(millisecondsOf([&] {
      map->setView(from, from + width);
      map->canvas()->repaint();
    }));
    QApplication::processEvents();
  }
  std::ranges::sort(frames);
  const auto at = [&frames](double share) {
    return frames[static_cast<std::size_t>(share * static_cast<double>(frames.size() - 1))];
  };
  state.counters["p50 ms"] = at(0.5);
  state.counters["p99 ms"] = at(0.99);
  state.counters["max ms"] = at(1);
}
BENCHMARK(pan)
    ->Args({1024, 100'000, 1})
    ->Args({1024, 100'000, 25})
    ->Args({1024, 100'000, 50})
    ->Iterations(500)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
