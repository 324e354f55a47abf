// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "metrics/metric_sample.h"
#include "workdir/object_store.h"

namespace lockstep {

/// How long a writer waits between two pushes: a second, longer for a large cluster, for a store that takes
/// `answer` for a put, and after `failures` in a row.
[[nodiscard]] std::chrono::milliseconds pushInterval(int worldSize, std::chrono::milliseconds answer,
                                                     int failures);

/// Takes rows from the training loop without ever blocking it, and writes them as segments into the work dir
/// from its own thread. One writer per rank. The push interval starts at one second and grows with the world
/// size and with slow answers, so that the whole cluster stays under `kClusterObjectsPerSecond` puts. A push
/// that fails is tried again with the next one, nothing is dropped while fewer than `kMaxPendingRows` wait;
/// beyond that the oldest rows go, counted in the metric kDroppedRows.
class MetricWriter {
 public:
  static constexpr double kClusterObjectsPerSecond = 20;
  static constexpr std::size_t kMaxPendingRows = 1 << 20;

  /// `folder`: layout::metricsFolder(jobId). Starts at sequence 0, or after the last one that the store
  /// already holds.
  MetricWriter(std::shared_ptr<ObjectStore> store, std::string folder, Rank rank, int worldSize);
  MetricWriter(const MetricWriter&) = delete;
  MetricWriter& operator=(const MetricWriter&) = delete;
  ~MetricWriter();  // flushes for at most two seconds

  /// Any thread. Names must outlive the writer (literals).
  void record(Step step, TimePoint time, std::span<const NamedValue> values);
  void record(Step step, TimePoint time, std::initializer_list<NamedValue> values) {
    record(step, time, std::span(values.begin(), values.size()));
  }
  /// Blocks until all that was recorded is stored, or the deadline. False: some of it is not.
  bool flush(std::chrono::milliseconds deadline);
  /// How many raw segments this rank has in the store, those of an earlier start included; 0 before that is known. Any
  /// thread; for the index of the run (MetricIndex).
  [[nodiscard]] std::uint64_t storedSegments() const;
  /// The last failure to push, or nothing when the last push worked.
  [[nodiscard]] std::optional<Error> lastFailure() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep
