// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_mailbox.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep {
namespace {

template <class T>
void moveOnto(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Takes the first `count` elements off `from`.
template <class T>
std::vector<T> popFirst(std::vector<T>& from, std::size_t count) {
  const auto end = from.begin() + static_cast<std::ptrdiff_t>(std::min(count, from.size()));
  std::vector<T> taken(std::make_move_iterator(from.begin()), std::make_move_iterator(end));
  from.erase(from.begin(), end);
  return taken;
}

/// Takes series off the front of `from` until they hold `limit` points; the last one may be cut in two.
std::vector<MetricSeriesBatch> popPoints(std::vector<MetricSeriesBatch>& from, std::size_t limit) {
  std::vector<MetricSeriesBatch> taken;
  std::size_t whole = 0;
  while (whole < from.size() && from[whole].points.size() <= limit) limit -= from[whole++].points.size();
  taken = popFirst(from, whole);
  if (!from.empty() && limit > 0) {
    taken.push_back({from.front().name, from.front().rank, popFirst(from.front().points, limit)});
  }
  return taken;
}

/// Everything but lines and points, which say the same in every part of one look.
RunUpdate frameOf(const RunUpdate& update) {
  RunUpdate frame;
  frame.run = update.run;
  frame.dataLag = update.dataLag;
  frame.unreadableSegments = update.unreadableSegments;
  frame.problems = update.problems;
  frame.segmentsRead = update.segmentsRead;
  frame.segmentsKnown = update.segmentsKnown;
  frame.isBehind = true;  // the rest of the look follows
  frame.isHealthKnown = update.isHealthKnown;
  return frame;
}

void merge(RunUpdate& batch, RunUpdate& newer) {
  batch.run = std::move(newer.run);
  batch.dataLag = newer.dataLag;
  batch.unreadableSegments = newer.unreadableSegments;
  batch.problems = std::move(newer.problems);
  batch.segmentsRead = newer.segmentsRead;
  batch.segmentsKnown = newer.segmentsKnown;
  batch.isBehind = newer.isBehind;
  batch.isHealthKnown = newer.isHealthKnown;
  batch.ended = newer.ended;
  if (newer.health) batch.health = std::move(newer.health);
  moveOnto(batch.lines, newer.lines);
  moveOnto(batch.metrics, newer.metrics);
}

}  // namespace

std::size_t pointCount(const RunUpdate& update) {
  std::size_t count = 0;
  for (const MetricSeriesBatch& batch : update.metrics) count += batch.points.size();
  return count;
}

bool RunMailbox::fits(const RunUpdate& batch, const RunUpdate& more) const {
  return batch.lines.size() + more.lines.size() <= perBatch_.lines &&
         pointCount(batch) + pointCount(more) <= perBatch_.points;
}

bool RunMailbox::waitForRoom(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return taken_.wait(lock, stop, [this] { return hasRoom(); });
}

bool RunMailbox::put(RunUpdate update) {
  const std::lock_guard lock(mutex_);
  waiting_.lines += update.lines.size();
  waiting_.points += pointCount(update);
  if (!batches_.empty() && fits(batches_.back(), update)) {
    merge(batches_.back(), update);
    return !std::exchange(due_, true);
  }
  while (update.lines.size() > perBatch_.lines || pointCount(update) > perBatch_.points) {
    RunUpdate part = frameOf(update);
    part.lines = popFirst(update.lines, perBatch_.lines);
    part.metrics = popPoints(update.metrics, perBatch_.points);
    batches_.push_back(std::move(part));
  }
  batches_.push_back(std::move(update));
  return !std::exchange(due_, true);
}

std::shared_ptr<const RunUpdate> RunMailbox::take() {
  const std::lock_guard lock(mutex_);
  if (batches_.empty()) {
    due_ = false;
    return nullptr;
  }
  auto batch = std::make_shared<const RunUpdate>(std::move(batches_.front()));
  batches_.pop_front();
  waiting_.lines -= batch->lines.size();
  waiting_.points -= pointCount(*batch);
  taken_.notify_all();
  return batch;
}

}  // namespace lockstep
