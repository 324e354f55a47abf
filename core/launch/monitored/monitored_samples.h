// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "launch/monitored/job_run_metrics.h"
#include "metrics/metric_sample.h"

namespace lockstep {

/// Gives what Monitoring has measured (MonitoredValue) ranks and steps. A value belongs to the step that its rank had
/// reported last by then, or, where that rank reports nothing, the first that does; of a training that reports no steps, the
/// seconds since it began stand for them. Values wait until that is known, as steps that went back would look like
/// a restart. One thread.
class MonitoredSamples {
 public:
  /// What ranks have reported, in any order.
  void note(std::span<const MetricSeriesBatch> reports);
  void add(std::vector<MonitoredValue> values);
  /// Of a run whose reports have come as far as there are any now; `isAll`: and no others will come. `firstRanks`: the rank
  /// that each job run's values are shown under, by its id; one that has none is left out. Each series is in step order.
  [[nodiscard]] std::vector<MetricSeriesBatch> take(const TrainingRun& run,
                                                    const std::map<std::string, Rank>& firstRanks,
                                                    TimePoint now, bool isAll);
  /// Values have come that take() has not given yet.
  [[nodiscard]] bool isWaiting() const { return !waiting_.empty(); }
  /// Those that have reported anything.
  [[nodiscard]] std::set<Rank> ranks() const;

 private:
  using Path = std::vector<std::pair<TimePoint, Step>>;  // by time
  struct Reports {
    Path path, added;
  };
  void settle();
  [[nodiscard]] const Path* pathOf(Rank rank) const;
  void forgetBefore(TimePoint time);

  std::map<Rank, Reports> reports_;
  std::vector<MonitoredValue> waiting_;
};

}  // namespace lockstep
