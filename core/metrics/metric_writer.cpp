// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_writer.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "metrics/row_backlog.h"
#include "metrics/segments/metric_summary.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr std::size_t kChunksPerSegment = 64;
constexpr std::size_t kCellsPerSegment =
    kMaxSegmentBytes / 16;  // of 8 bytes at most: half of what readers take
constexpr std::size_t kTablePerSegment = kMaxDecodedBytes / 32;  // likewise; 16 bytes are kept for each place
constexpr int kSummaryAttempts = 3;
constexpr double kObjectsPerRaw = 1 + 1.0 / 16 + 1.0 / 256 + 1.0 / 4096;
constexpr milliseconds kFlushRetry = 100ms;

/// An encoded segment on its way. Its bytes never change: a put that seemed to fail may have arrived.
struct Parcel {
  std::string name;
  std::string bytes;
  std::uint64_t rows = 0;
  int attempts = 0;
};

std::string withSlash(std::string folder) {
  if (!folder.empty() && folder.back() != '/') folder += '/';
  return folder;
}

}  // namespace

milliseconds pushInterval(int worldSize, milliseconds answer, int failures) {
  const double perObject = 1000.0 * std::max(1, worldSize) / MetricWriter::kClusterObjectsPerSecond;
  const auto forCluster = milliseconds(static_cast<long long>(perObject * kObjectsPerRaw));
  const auto afterFailures =
      failures == 0 ? 0ms : milliseconds(std::min(30'000LL, 500LL << std::min(failures, 6)));
  return std::max({1000ms, forCluster, 4 * answer, afterFailures});
}

struct MetricWriter::Impl {
  Impl(std::shared_ptr<ObjectStore> where, std::string below, Rank who, int world)
      : store(std::move(where)), folder(withSlash(std::move(below))), rank(who), worldSize(world) {}

  std::shared_ptr<ObjectStore> store;
  const std::string folder;
  const Rank rank;
  const int worldSize;

  // Shared between record(), flush() and the thread.
  mutable std::mutex mutex;
  std::condition_variable_any changed;
  RowBacklog backlog;
  std::uint64_t recorded = 0;  // rows that came in
  std::uint64_t settled = 0;   // rows that are stored, or were dropped
  std::uint64_t dropped = 0;
  std::uint64_t admittedDropped = 0;  // that a flush() has said already
  std::size_t onTheWay = 0;           // rows in parcel
  int flushing = 0;
  std::optional<Error> failure;

  // The thread's own.
  std::optional<std::uint64_t> nextSequence;
  std::atomic<std::uint64_t> storedSegments{0};  // what others may know of it
  std::optional<Parcel> parcel;
  std::deque<Parcel> summaryParcels;
  SummaryBuilder summaries;
  std::uint64_t reportedDropped = 0;
  milliseconds answer{0};  // smoothed time of a put
  int failures = 0;        // in a row

  std::jthread thread;  // last: its end is waited for before the rest goes

  void run(const std::stop_token& stop);
  void push(const std::stop_token& stop);
  bool pack(const std::stop_token& stop);
  bool findSequence(const std::stop_token& stop);
  void send(const std::stop_token& stop);
  void sendSummaries(const std::stop_token& stop);
  void failed(Error error);
  MetricSegment build(const std::vector<RowBacklog::Chunk>& chunks, std::uint64_t droppedNow);
  [[nodiscard]] milliseconds firstWait() const;
};

milliseconds MetricWriter::Impl::firstWait() const {
  // Spread over the interval, so that the ranks of a large cluster do not all push at the same moment.
  const auto whole = pushInterval(worldSize, 0ms, 0);
  return whole * (rank.value % std::max(1, worldSize) + 1) / std::max(1, worldSize);
}

void MetricWriter::Impl::run(const std::stop_token& stop) {
  auto wait = firstWait();
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex);
      const bool retrying = failures > 0 && flushing > 0;
      if (retrying)
        changed.wait_for(lock, stop, kFlushRetry, [] { return false; });
      else
        changed.wait_for(lock, stop, wait, [this] { return flushing > 0 && settled < recorded; });
    }
    if (stop.stop_requested()) return;
    push(stop);
    wait = pushInterval(worldSize, answer, failures);
  }
}

void MetricWriter::Impl::push(const std::stop_token& stop) {
  if (!parcel && !pack(stop)) return;
  send(stop);
  if (failures == 0) sendSummaries(stop);
}

bool MetricWriter::Impl::findSequence(const std::stop_token& stop) {
  const std::string place = segmentName(rank, 0).substr(0, segmentName(rank, 0).rfind('/') + 1);
  auto listed = store->list(folder + place, {}, stop);
  if (!listed && listed.error().code != ErrorCode::NotFound) {
    failed(std::move(listed.error()));
    return false;
  }
  std::uint64_t next = 0;
  if (listed)
    for (const auto& object : *listed)
      if (const auto known = parseSegmentName(std::string_view(object.name).substr(folder.size())))
        next = std::max(next, known->sequence + 1);
  nextSequence = next;
  storedSegments.store(next, std::memory_order_relaxed);
  return true;
}

bool MetricWriter::Impl::pack(const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex);
    if (backlog.rowCount() == 0) return false;
  }
  if (!nextSequence && !findSequence(stop)) return false;
  std::vector<RowBacklog::Chunk> chunks;
  std::uint64_t droppedNow = 0;
  std::uint64_t rows = 0;
  {
    const std::lock_guard lock(mutex);
    chunks = backlog.take(kChunksPerSegment, {kCellsPerSegment, kTablePerSegment});
    for (const auto& chunk : chunks) rows += chunk.rows.size();
    onTheWay = rows;
    droppedNow = dropped;
  }
  const MetricSegment segment = build(chunks, droppedNow);
  parcel = Parcel{folder + segmentName(rank, segment.sequence), encodeSegment(segment), rows};
  for (const SegmentSummary& summary : summaries.add(segment))
    summaryParcels.push_back({folder + segmentName(summary.id), encodeSummary(summary)});
  const std::lock_guard lock(mutex);
  backlog.recycle(std::move(chunks));
  return true;
}

MetricSegment MetricWriter::Impl::build(const std::vector<RowBacklog::Chunk>& chunks,
                                        std::uint64_t droppedNow) {
  MetricSegment segment;
  segment.rank = rank;
  segment.sequence = *nextSequence;
  std::vector<NamedValue> values;
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    auto cell = chunks[c].cells.begin();
    for (std::size_t r = 0; r < chunks[c].rows.size(); ++r) {
      const auto& row = chunks[c].rows[r];
      values.assign(cell, cell + static_cast<std::ptrdiff_t>(row.cells));
      cell += static_cast<std::ptrdiff_t>(row.cells);
      const bool newest = c + 1 == chunks.size() && r + 1 == chunks[c].rows.size();
      if (newest && droppedNow != reportedDropped)
        values.emplace_back(metric::kDroppedRows, static_cast<double>(droppedNow));
      segment.append(row.step, row.time, values);
    }
  }
  reportedDropped = droppedNow;
  return segment;
}

void MetricWriter::Impl::send(const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  auto stored = store->put(parcel->name, parcel->bytes, stop);
  const auto took = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
  answer = (answer * 3 + took) / 4;
  if (!stored) {
    failed(std::move(stored.error()));
    return;
  }
  failures = 0;
  storedSegments.store(++*nextSequence, std::memory_order_relaxed);
  const std::lock_guard lock(mutex);
  settled += parcel->rows;
  onTheWay = 0;
  failure.reset();
  parcel.reset();
  changed.notify_all();
}

// A summary only spares readers time: it is given up rather than kept in the way of new rows.
void MetricWriter::Impl::sendSummaries(const std::stop_token& stop) {
  while (!summaryParcels.empty()) {
    Parcel& next = summaryParcels.front();
    const bool isStored = store->put(next.name, next.bytes, stop).has_value();
    if (!isStored && ++next.attempts < kSummaryAttempts) return;
    summaryParcels.pop_front();
  }
}

void MetricWriter::Impl::failed(Error error) {
  ++failures;
  const std::lock_guard lock(mutex);
  failure = std::move(error);
}

MetricWriter::MetricWriter(std::shared_ptr<ObjectStore> store, std::string folder, Rank rank, int worldSize)
    : impl_(std::make_unique<Impl>(std::move(store), std::move(folder), rank, worldSize)) {
  impl_->thread = std::jthread([impl = impl_.get()](const std::stop_token& stop) { impl->run(stop); });
}

MetricWriter::~MetricWriter() {
  flush(2s);
}

void MetricWriter::record(Step step, TimePoint time, std::span<const NamedValue> values) {
  const std::lock_guard lock(impl_->mutex);
  impl_->backlog.add(step, time, values);
  ++impl_->recorded;
  if (impl_->backlog.rowCount() + impl_->onTheWay <= kMaxPendingRows) return;
  const std::size_t lost = impl_->backlog.dropOldest();
  impl_->dropped += lost;
  impl_->settled += lost;
}

bool MetricWriter::flush(milliseconds deadline) {
  std::unique_lock lock(impl_->mutex);
  const std::uint64_t target = impl_->recorded;
  ++impl_->flushing;
  impl_->changed.notify_all();
  const bool done = impl_->changed.wait_for(lock, deadline, [&] { return impl_->settled >= target; });
  --impl_->flushing;
  return std::exchange(impl_->admittedDropped, impl_->dropped) == impl_->dropped && done;
}

std::uint64_t MetricWriter::storedSegments() const {
  return impl_->storedSegments.load(std::memory_order_relaxed);
}

std::optional<Error> MetricWriter::lastFailure() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->failure;
}

}  // namespace lockstep
