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

/// Everything but lines, which says the same in every part of one look.
RunUpdate frameOf(const RunUpdate& update) {
  RunUpdate frame;
  frame.run = update.run;
  frame.samples = update.samples;
  frame.dataLag = update.dataLag;
  frame.unreadableSegments = update.unreadableSegments;
  frame.problems = update.problems;
  frame.segmentsRead = update.segmentsRead;
  frame.segmentsKnown = update.segmentsKnown;
  frame.isBehind = true;  // the rest of the look follows
  frame.isHealthKnown = update.isHealthKnown;
  frame.isWaiting = update.isWaiting;
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
  batch.isWaiting = newer.isWaiting;
  batch.ended = newer.ended;
  if (newer.health) batch.health = std::move(newer.health);
  moveOnto(batch.lines, newer.lines);
  if (newer.samples) batch.samples = std::move(newer.samples);
}

}  // namespace

bool RunMailbox::waitForRoom(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return taken_.wait(lock, stop, [this] { return waiting_ < max_; });
}

bool RunMailbox::put(RunUpdate update) {
  const std::lock_guard lock(mutex_);
  waiting_ += update.lines.size();
  if (!batches_.empty() && batches_.back().lines.size() + update.lines.size() <= perBatch_) {
    merge(batches_.back(), update);
    return !std::exchange(due_, true);
  }
  while (update.lines.size() > perBatch_) {
    RunUpdate part = frameOf(update);
    part.lines = popFirst(update.lines, perBatch_);
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
  waiting_ -= batch->lines.size();
  taken_.notify_all();
  return batch;
}

}  // namespace lockstep
