// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "trainer/data/data_set.h"

namespace lockstep::trainer {

/// Which data sets are worth threads that read ahead: those where reading takes time; or all of them, where
/// the host has nothing else to do meanwhile, as beside a GPU.
enum class ReadAhead { WhereSlow, Always };

/// Hands out the batches of an epoch one after the other. Where reading takes time, threads read ahead; a
/// cheap data set is read when asked, which is faster than handing it from thread to thread, unless a GPU is
/// to be kept busy. One user thread.
class BatchLoader {
 public:
  /// `workers`: threads that read ahead; 0: none. The data set must outlive it.
  BatchLoader(const DataSet& data, int workers, ReadAhead ahead = ReadAhead::WhereSlow);
  BatchLoader(const BatchLoader&) = delete;
  BatchLoader& operator=(const BatchLoader&) = delete;
  ~BatchLoader();

  /// Forgets what was read ahead and begins with these batches, each a list of samples.
  void begin(std::vector<std::vector<std::size_t>> batches, std::uint64_t seed);
  /// The next one; it stays until the next call. An exception of the data set is a failure too, on whatever
  /// thread. Never more often than there are batches.
  Result<const Batch*> next();

 private:
  struct Slot {
    Batch batch;
    Result<void> outcome;
    bool ready = false;
  };
  void stopWorkers();
  [[nodiscard]] Result<void> gather(std::size_t number, Batch& batch) const;
  void readAhead(const std::stop_token& stop);
  [[nodiscard]] Slot& slotOf(std::size_t number) { return slots_[number % slots_.size()]; }

  const DataSet& data_;
  std::size_t workerCount_;
  std::vector<std::vector<std::size_t>> plan_;
  std::uint64_t seed_ = 0;
  std::size_t given_ = 0;  // batches that next() has returned
  std::size_t taken_ = 0;  // batches that a worker has begun; guarded by mutex_, as `ready` of the slots
  std::vector<Slot> slots_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::jthread> workers_;
};

}  // namespace lockstep::trainer
