// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "metrics/metric_sample.h"

namespace lockstep::trainer {

/// One record of a TFRecord file: u64 length, its masked CRC-32C, the bytes, their masked CRC-32C, all
/// little-endian (tensorflow/core/lib/io/record_writer.h).
[[nodiscard]] std::string tfRecord(std::string_view bytes);
/// An Event message with scalars (tensorflow/core/util/event.proto: wall_time 1, step 2, file_version 3,
/// summary 5; summary.proto: value 1 {tag 1, simple_value 2}).
[[nodiscard]] std::string scalarEvent(double wallSeconds, Step step, const std::vector<NamedValue>& values);

/// Scalars in an event file that TensorBoard opens, one file per rank and start. Writing is done by a thread
/// of its own, each second: record() never waits for the disk. Recording: one thread.
class TensorBoardWriter {
 public:
  /// `directory/rank-0/events.out.tfevents.<seconds>.<host>.<pid>`; creates the folders.
  static Result<std::unique_ptr<TensorBoardWriter>> open(const std::filesystem::path& directory, int rank);
  TensorBoardWriter(const TensorBoardWriter&) = delete;
  TensorBoardWriter& operator=(const TensorBoardWriter&) = delete;
  ~TensorBoardWriter();  // writes what is left

  void record(Step step, TimePoint time, const std::vector<NamedValue>& values);
  /// Writes all that was recorded; false when the disk did not take it.
  bool flush();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TensorBoardWriter(int fd, std::filesystem::path path);
  void run(const std::stop_token& stop);

  int fd_;
  std::filesystem::path path_;
  std::mutex mutex_;  // guards pending_
  std::condition_variable_any wake_;
  std::string pending_;
  std::mutex fileMutex_;  // one writer at a time
  bool broken_ = false;
  std::jthread thread_;
};

}  // namespace lockstep::trainer
