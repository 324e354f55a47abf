// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "metrics/metric_segment.h"
#include "workdir/object_store.h"

namespace lockstep {

/// Finds new segments below a run's metrics folder and reads each exactly once. A torn or unreadable segment is tried
/// again on the next polls and then counted as lost; a missing number is not waited for. Cost of a poll: one listing per
/// rank that is active plus one read per new segment. Not thread-safe: one owner thread.
class MetricReader {
 public:
  MetricReader(std::shared_ptr<ObjectStore> store, std::string folder);

  struct Update {
    std::vector<MetricSeriesBatch> batches;
    int unreadableSegments = 0;  // given up on, in total
  };
  Result<Update> poll(const std::stop_token& stop);

 private:
  std::shared_ptr<ObjectStore> store_;
  std::string folder_;
};

}  // namespace lockstep
