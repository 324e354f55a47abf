// SPDX-License-Identifier: GPL-3.0-or-later
// What metrics cost the training loop, and what drawing them costs the desktop.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

#include "memory_object_store.h"
#include "metrics/metric_reader.h"
#include "metrics/metric_store.h"
#include "metrics/metric_writer.h"
#include "metrics/rank_spread.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/metric_summary.h"

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

const char* const kQuantities[] = {"loss",       "step_ms",     "wait_ms",      "transfer_ms",
                                   "forward_ms", "backward_ms", "optimizer_ms", "data_ms"};

/// Steps [first, first + count) of one rank as a poll brings them.
std::vector<MetricSeriesBatch> pieceOf(int rank, Step first, Step count, int quantities) {
  std::vector<MetricSeriesBatch> batches;
  for (int q = 0; q < quantities; ++q) {
    MetricSeriesBatch batch{kQuantities[q], Rank(rank), {}};
    batch.points.reserve(static_cast<std::size_t>(count));
    for (Step i = first; i < first + count; ++i)
      batch.points.push_back({i, at(50 * i), static_cast<float>(i * 7919 % 1000 + rank + q)});
    batches.push_back(std::move(batch));
  }
  return batches;
}

/// How the samples lay before they had columns: for comparison.
class PointLists {
 public:
  void add(const std::vector<MetricSeriesBatch>& batches) {
    for (const MetricSeriesBatch& batch : batches) {
      auto& points = series_[{batch.name, batch.rank}];
      points.insert(points.end(), batch.points.begin(), batch.points.end());
    }
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t bytes = 0;
    for (const auto& [key, points] : series_) bytes += points.capacity() * sizeof(MetricPoint);
    return bytes;
  }
  [[nodiscard]] std::vector<PixelSpan> spans(std::string_view name, Rank rank, double from, double to,
                                             int pixels) const {
    std::vector<PixelSpan> spans(static_cast<std::size_t>(pixels) + 1);
    for (const MetricPoint& point : series_.at({std::string(name), rank})) {
      const double place = (static_cast<double>(point.step) - from) / (to - from) * pixels;
      if (place < 0 || place > pixels) continue;
      PixelSpan& span = spans[static_cast<std::size_t>(place)];
      span.min = std::min(span.min, point.value);
      span.max = std::max(span.max, point.value);
      span.last = point.value;
    }
    return spans;
  }

 private:
  std::map<std::pair<std::string, Rank>, std::vector<MetricPoint>> series_;
};

/// Fills a store in pieces of 10,000 steps; only add() is counted.
template <class Store>
double fill(Store& store, int ranks, Step steps, int quantities) {
  constexpr Step kPiece = 10'000;
  std::chrono::duration<double> spent{};
  for (Step first = 0; first < steps; first += kPiece) {
    for (int rank = 0; rank < ranks; ++rank) {
      const auto piece = pieceOf(rank, first, std::min(kPiece, steps - first), quantities);
      const auto begin = std::chrono::steady_clock::now();
      store.add(piece);
      spent += std::chrono::steady_clock::now() - begin;
    }
  }
  return spent.count();
}

/// Ranks, steps, quantities, width in per mille of the steps: what a chart of 600 pixels of all ranks costs.
template <class Store>
void chartOfAllRanks(benchmark::State& state) {
  const int ranks = static_cast<int>(state.range(0)), quantities = static_cast<int>(state.range(2));
  const Step steps = state.range(1);
  Store store;
  const double seconds = fill(store, ranks, steps, quantities);
  const double samples = static_cast<double>(steps) * ranks * quantities;
  const double width = static_cast<double>(steps) * static_cast<double>(state.range(3)) / 1000;
  const double from = static_cast<double>(steps) / 3 * (state.range(3) < 1000 ? 1 : 0);
  for (auto _ : state) {
    for (int rank = 0; rank < ranks; ++rank)
      benchmark::DoNotOptimize(store.spans("loss", Rank(rank), from, from + width, 600));
  }
  state.counters["samples/s taken in"] = samples / seconds;
  state.counters["bytes a sample"] = static_cast<double>(store.bytes()) / samples;
}
BENCHMARK(chartOfAllRanks<MetricStore>)
    ->Args({64, 1'000'000, 2, 1000})
    ->Args({64, 1'000'000, 2, 10})
    ->Args({1024, 100'000, 1, 1000})
    ->Args({64, 100'000, 8, 1000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(chartOfAllRanks<PointLists>)->Args({64, 100'000, 8, 1000})->Unit(benchmark::kMillisecond);

void bandOfAllRanks(benchmark::State& state) {
  MetricStore store;
  fill(store, static_cast<int>(state.range(0)), state.range(1), 1);
  const std::vector<Rank> ranks = store.ranks();
  for (auto _ : state)
    benchmark::DoNotOptimize(
        spreadOverRanks(store, "loss", ranks, {0, static_cast<double>(state.range(1)), 600}));
}
BENCHMARK(bandOfAllRanks)->Args({64, 1'000'000})->Args({1024, 100'000})->Unit(benchmark::kMillisecond);

/// 20 steps of each rank and what a window is given of them, as each second of a live run.
void aSecondOfALiveRun(benchmark::State& state) {
  const int ranks = static_cast<int>(state.range(0));
  MetricStore store;
  fill(store, ranks, 2000, 8);
  Step next = 2000;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<MetricSeriesBatch> news;
    for (int rank = 0; rank < ranks; ++rank)
      for (auto& batch : pieceOf(rank, next, 20, 8)) news.push_back(std::move(batch));
    next += 20;
    state.ResumeTiming();
    store.add(news);
    benchmark::DoNotOptimize(store.snapshot());
  }
}
BENCHMARK(aSecondOfALiveRun)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

/// What a rank of a million steps leaves, without its objects: its summaries, as SummaryBuilder makes them of segments of 68 rows.
std::vector<SegmentSummary> summariesOfALongRank(int rank, Step steps) {
  constexpr Step kRows = 68;
  SummaryBuilder builder;
  std::vector<SegmentSummary> all;
  MetricSegment raw;
  for (const char* name : kQuantities)
    raw.columns.push_back({name, std::vector<std::optional<double>>(kRows)});
  for (Step first = 0; first + kRows <= steps; first += kRows, ++raw.sequence) {
    raw.rank = Rank(rank);
    raw.rows.clear();
    for (Step i = 0; i < kRows; ++i) {
      raw.rows.push_back({first + i, at(50 * (first + i))});
      for (auto& column : raw.columns)
        column.cells[static_cast<std::size_t>(i)] = static_cast<float>((first + i) * 7919 % 1000 + rank);
    }
    for (SegmentSummary& summary : builder.add(raw)) all.push_back(std::move(summary));
  }
  return all;
}

/// The first picture of ranks x steps x 8 quantities from the coarsest summaries: decoded, put into a store, and a chart of
/// 600 pixels of each rank.
void firstPictureFromSummaries(benchmark::State& state) {
  const int ranks = static_cast<int>(state.range(0));
  std::vector<std::string> objects;
  std::size_t bytes = 0;
  for (const SegmentSummary& summary : summariesOfALongRank(0, state.range(1)))
    if (summary.id.level == SegmentLevel::Of4096) objects.push_back(encodeSummary(summary));
  for (const std::string& object : objects) bytes += object.size() * static_cast<std::size_t>(ranks);
  for (auto _ : state) {
    MetricStore store;
    for (int rank = 0; rank < ranks; ++rank)
      for (const std::string& object : objects) {
        SegmentSummary summary = *decodeSummary(object);
        summary.id.rank = Rank(rank);
        store.add(CoarsePart{Rank(rank), {}, {std::move(summary)}, {}});
      }
    for (int rank = 0; rank < ranks; ++rank)
      benchmark::DoNotOptimize(store.spans("loss", Rank(rank), 0, static_cast<double>(state.range(1)), 600));
    state.counters["store MB"] = static_cast<double>(store.bytes()) / 1e6;
  }
  state.counters["MB read"] = static_cast<double>(bytes) / 1e6;
}
BENCHMARK(firstPictureFromSummaries)->Args({64, 1'000'000})->Unit(benchmark::kMillisecond);

/// The same run in memory within a budget of 512 MB: what it takes, and what a chart of all of it costs then.
void aLongRunWithinABudget(benchmark::State& state) {
  const int ranks = static_cast<int>(state.range(0));
  const Step steps = state.range(1);
  constexpr std::size_t kBudget = std::size_t{512} << 20;
  constexpr Step kPiece = 10'000;
  MetricStore store;
  double most = 0;
  for (Step first = 0; first < steps; first += kPiece) {
    for (int rank = 0; rank < ranks; ++rank) {
      auto piece = pieceOf(rank, first, kPiece, 8);
      const auto number = static_cast<std::uint64_t>(first / 68);
      for (MetricSeriesBatch& batch : piece) batch.segments = {number, number + kPiece / 68 + 1};
      store.add(piece);
    }
    store.keepWithin(kBudget, {});
    most = std::max(most, static_cast<double>(store.bytes()));
  }
  for (auto _ : state)
    for (int rank = 0; rank < ranks; ++rank)
      benchmark::DoNotOptimize(store.spans("loss", Rank(rank), 0, static_cast<double>(steps), 600));
  state.counters["MB"] = static_cast<double>(store.bytes()) / 1e6;
  state.counters["MB at most"] = most / 1e6;
  state.counters["bytes a sample"] =
      static_cast<double>(store.bytes()) / static_cast<double>(store.sampleCount());
}
BENCHMARK(aLongRunWithinABudget)->Args({64, 1'000'000})->Unit(benchmark::kMillisecond)->Iterations(3);

/// Summaries beside the segments of a rank: what they add to encoding a segment of 68 rows.
void summarize(benchmark::State& state) {
  MetricSegment raw = segmentOf(68);
  SummaryBuilder builder;
  for (auto _ : state) {
    benchmark::DoNotOptimize(builder.add(raw));
    ++raw.sequence;
    for (auto& row : raw.rows) row.step += 68;
  }
}
BENCHMARK(summarize);

/// A poll in which nothing is new, of a run with an index; the store answers at once.
void aPollWithoutNews(benchmark::State& state) {
  const auto store = std::make_shared<MemoryObjectStore>();
  const auto ranks = static_cast<std::size_t>(state.range(0));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    MetricSegment segment = segmentOf(1);
    segment.rank = Rank(static_cast<int>(rank));
    store->set("m/" + segmentName(segment.rank, 0), encodeSegment(segment));
  }
  MetricIndex index{1, std::vector<std::uint64_t>(ranks, 1)};
  store->set("m/index.json", toText(index));
  MetricReader reader(store, "m/", {}, {MetricDetail::Overview});
  while (reader.poll({})->isBehind) continue;
  const int before = store->gets + store->lists;
  for (auto _ : state) {
    ++index.written;
    store->set("m/index.json", toText(index));
    benchmark::DoNotOptimize(reader.poll({}));
  }
  state.counters["calls a poll"] =
      static_cast<double>(store->gets + store->lists - before) / static_cast<double>(state.iterations());
}
BENCHMARK(aPollWithoutNews)->Arg(64)->Arg(1024)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
