// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/checkpoint/checkpoint_writer.h"

namespace lockstep::trainer {

CheckpointWriter::CheckpointWriter(CheckpointStore store)
    : store_(std::move(store)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

CheckpointWriter::~CheckpointWriter() = default;

void CheckpointWriter::submit(long long step, std::string bytes) {
  const std::lock_guard lock(mutex_);
  waiting_ = Work{step, std::move(bytes)};
  changed_.notify_all();
}

bool CheckpointWriter::flush(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  const bool done = changed_.wait_for(lock, limit, [this] { return !waiting_ && !busy_; });
  return done && !lastFailed_;
}

std::optional<CheckpointWriter::Outcome> CheckpointWriter::popOutcome() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

void CheckpointWriter::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return waiting_.has_value(); })) {
    const Work work = std::move(*std::exchange(waiting_, std::nullopt));
    busy_ = true;
    lock.unlock();
    auto saved = store_.save(work.step, work.bytes, stop);
    lock.lock();
    busy_ = false;
    lastFailed_ = !saved;
    outcome_ = Outcome{work.step, std::move(saved)};
    changed_.notify_all();
  }
}

}  // namespace lockstep::trainer
