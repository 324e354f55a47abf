// SPDX-License-Identifier: GPL-3.0-or-later
// A live run as the desktop reads it: each rank takes 20 samples of 8 quantities a second, and all of them together push as many
// segments a second as MetricWriter lets them. Prints how much of a core reading and keeping them takes, how many calls that is, and
// how far what is read is behind what is there; once the run stands still, the calls of a look.
//   ingest_bench [RANKS [SECONDS [MILLISECONDS]]]   1,024, 60 and 0; the last is how long each call takes
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "memory_object_store.h"
#include "metrics/metric_reader.h"
#include "metrics/metric_store.h"
#include "metrics/metric_writer.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/segment_name.h"

namespace {

using namespace lockstep;
using Steady = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kRowsPerSecond = 20;
const char* const kQuantities[] = {"loss",       "step_ms",     "wait_ms",      "transfer_ms",
                                   "forward_ms", "backward_ms", "optimizer_ms", "data_ms"};

/// Whose calls take as long as over a network.
class DistantStore final : public MemoryObjectStore {
 public:
  explicit DistantStore(std::chrono::milliseconds away) : away_(away) {}
  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    std::this_thread::sleep_for(away_);
    return MemoryObjectStore::get(name, stop);
  }
  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                       const std::stop_token& stop) override {
    std::this_thread::sleep_for(away_);
    return MemoryObjectStore::list(prefix, startAfter, stop);
  }

 private:
  std::chrono::milliseconds away_;
};

struct Piece {
  std::string name, bytes;
  int rank = 0;
};

/// What the ranks push, in turns, made ahead: only reading is to be measured.
std::vector<Piece> piecesOf(int ranks, int seconds) {
  const auto perSecond = static_cast<int>(MetricWriter::kClusterObjectsPerSecond);
  const int rows = std::max(1, ranks * kRowsPerSecond / perSecond);
  std::vector<Piece> pieces;
  std::vector<std::uint64_t> next(static_cast<std::size_t>(ranks));
  for (int i = 0; i < seconds * perSecond; ++i) {
    const int rank = i % ranks;
    MetricSegment segment;
    segment.rank = Rank(rank);
    segment.sequence = next[static_cast<std::size_t>(rank)]++;
    for (int row = 0; row < rows; ++row) {
      const Step step = static_cast<Step>(segment.sequence) * rows + row;
      std::vector<std::pair<std::string_view, double>> values;
      for (const char* name : kQuantities)
        values.emplace_back(name, static_cast<float>(std::sin(static_cast<double>(step)) * 10 + rank));
      segment.append(step, TimePoint(std::chrono::milliseconds(50 * step)), values);
    }
    pieces.push_back({"m/" + segmentName(segment.rank, segment.sequence), encodeSegment(segment), rank});
  }
  return pieces;
}

double processorSeconds() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return of(use.ru_utime) + of(use.ru_stime);
}

/// Puts the pieces at their pace, and tells when each was there.
class Writers {
 public:
  Writers(DistantStore& store, std::vector<Piece> pieces, int ranks)
      : store_(store), pieces_(std::move(pieces)), counts_(static_cast<std::size_t>(ranks)) {
    thread_ = std::jthread([this] { write(); });
  }
  [[nodiscard]] bool isDone() const {
    const std::lock_guard lock(mutex_);
    return putAt_.size() == pieces_.size();
  }
  /// Since when the piece of this number is there; zero: it is not yet.
  [[nodiscard]] Seconds ageOf(std::size_t piece) const {
    const std::lock_guard lock(mutex_);
    return piece < putAt_.size() ? Seconds(Steady::now() - putAt_[piece]) : Seconds(0);
  }

 private:
  void write() {
    const auto begin = Steady::now();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      std::this_thread::sleep_until(
          begin + std::chrono::milliseconds(static_cast<int>(1000 * static_cast<double>(i) /
                                                             MetricWriter::kClusterObjectsPerSecond)));
      store_.set(pieces_[i].name, std::move(pieces_[i].bytes));
      ++counts_[static_cast<std::size_t>(pieces_[i].rank)];
      store_.set("m/index.json", toText({i, counts_}));
      const std::lock_guard lock(mutex_);
      putAt_.push_back(Steady::now());
    }
  }

  DistantStore& store_;
  std::vector<Piece> pieces_;
  std::vector<std::uint64_t> counts_;
  mutable std::mutex mutex_;
  std::vector<Steady::time_point> putAt_;
  std::jthread thread_;
};

/// One look, as RunMonitor takes it. False: it failed.
bool look(MetricReader& reader, MetricStore& samples, MetricReader::Update& update) {
  auto read = reader.poll({});
  if (!read) return false;
  update = *std::move(read);
  for (const CoarsePart& part : update.parts) samples.add(part);
  samples.add(update.batches);
  samples.keepWithin(std::size_t{512} << 20, {});
  const auto shown = samples.snapshot();
  return true;
}

int number(char** argv, int argc, int at, int otherwise) {
  return argc > at ? std::atoi(argv[at]) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const int ranks = number(argv, argc, 1, 1024), seconds = number(argv, argc, 2, 60),
            away = number(argv, argc, 3, 0);
  if (ranks <= 0 || seconds <= 0 || away < 0) {
    std::fprintf(stderr, "ingest_bench [RANKS [SECONDS [MILLISECONDS]]]\n");
    return 2;
  }
  const auto store = std::make_shared<DistantStore>(std::chrono::milliseconds(away));
  auto pieces = piecesOf(ranks, seconds);
  const std::size_t count = pieces.size();
  MetricReader reader(store, "m/", {}, {MetricDetail::Overview});
  MetricStore samples;
  MetricReader::Update update;
  std::vector<double> behind;
  const double processorBefore = processorSeconds();
  const auto begin = Steady::now();
  {
    const Writers writers(*store, std::move(pieces), ranks);
    while (!writers.isDone() || update.segmentsRead < count) {
      if (look(reader, samples, update)) behind.push_back(writers.ageOf(update.segmentsRead).count());
      if (Seconds(Steady::now() - begin).count() > 3.0 * seconds + 60) break;
      if (!update.isBehind) std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  }
  const double elapsed = Seconds(Steady::now() - begin).count();
  const double processor = processorSeconds() - processorBefore;
  const int calls = store->gets + store->lists;
  for (int i = 0; i < 5; ++i) look(reader, samples, update);
  const double quiet = (store->gets + store->lists - calls) / 5.0;
  std::sort(behind.begin(), behind.end());
  std::printf(
      "%d ranks, %d ms a call: %.1f %% of a core, %.1f calls a second, %.1f a look without news, behind by "
      "%.2f s "
      "(at most %.2f), %zu of %zu segments, %zu samples of %.2f bytes\n",
      ranks, away, 100 * processor / elapsed, calls / elapsed, quiet, behind[behind.size() / 2],
      behind.back(), static_cast<std::size_t>(update.segmentsRead), count, samples.sampleCount(),
      static_cast<double>(samples.bytes()) / static_cast<double>(samples.sampleCount()));
  return update.segmentsRead == count ? 0 : 1;
}
