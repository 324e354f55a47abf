// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/batch_loader.h"

#include <exception>
#include <new>
#include <string>

namespace lockstep::trainer {

BatchLoader::BatchLoader(const DataSet& data, int workers, ReadAhead ahead)
    : data_(data),
      workerCount_((data.isCheap() && ahead == ReadAhead::WhereSlow) || workers < 0
                       ? 0
                       : static_cast<std::size_t>(workers)),
      slots_(workerCount_ == 0 ? 1 : 2 * workerCount_ + 1) {}

BatchLoader::~BatchLoader() {
  stopWorkers();
}

void BatchLoader::stopWorkers() {
  for (std::jthread& worker : workers_) worker.request_stop();
  workers_.clear();  // joins
}

void BatchLoader::begin(std::vector<std::vector<std::size_t>> batches, std::uint64_t seed) {
  stopWorkers();
  plan_ = std::move(batches);
  seed_ = seed;
  given_ = taken_ = 0;
  for (Slot& slot : slots_) slot.ready = false;
  for (std::size_t i = 0; i < workerCount_; ++i)
    workers_.emplace_back([this](const std::stop_token& stop) { readAhead(stop); });
}

Result<void> BatchLoader::gather(std::size_t number, Batch& batch) const {
  const std::string what = "a batch of the training data cannot be read";
  try {
    return data_.gather(plan_[number], seed_, batch);
  } catch (const std::bad_alloc&) {
    return failure(ErrorCode::ResourceExhausted, what, "out of memory",
                   "use a smaller --batch-size or fewer --workers");
  } catch (const std::exception& error) {
    return failure(ErrorCode::Internal, what, error.what());
  }
}

void BatchLoader::readAhead(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (taken_ < plan_.size()) {
    // One slot belongs to the batch that the user holds.
    const auto hasRoom = [this] { return taken_ >= plan_.size() || taken_ + 1 < given_ + slots_.size(); };
    if (!changed_.wait(lock, stop, hasRoom) || taken_ >= plan_.size()) return;
    const std::size_t number = taken_++;
    Slot& slot = slotOf(number);
    lock.unlock();
    slot.outcome = gather(number, slot.batch);
    lock.lock();
    slot.ready = true;
    changed_.notify_all();
  }
}

Result<const Batch*> BatchLoader::next() {
  if (workerCount_ == 0) {
    Slot& slot = slots_.front();
    if (auto read = gather(given_++, slot.batch); !read) return failure(read.error());
    return &slot.batch;
  }
  std::unique_lock lock(mutex_);
  if (given_ > 0) slotOf(given_ - 1).ready = false;
  Slot& slot = slotOf(given_++);
  changed_.notify_all();
  changed_.wait(lock, [&slot] { return slot.ready; });
  if (!slot.outcome) return failure(slot.outcome.error());
  return &slot.batch;
}

}  // namespace lockstep::trainer
