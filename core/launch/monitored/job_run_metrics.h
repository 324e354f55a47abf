// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oci/services/monitoring_client.h"
#include "runs/training_run.h"

namespace lockstep {

/// What the service has measured of the machine of a job run.
struct MonitoredValue {
  JobRunId jobRun;
  std::string_view name;  // of the catalogue
  TimePoint time{};       // the middle of the interval that it stands for
  double value = 0;
};

/// Reads what Monitoring has of the job runs of one run (oci-rest-contract 4.9): processors, memory, disk, GPUs and network,
/// under the names that nodes with our agent use for the same. For all job runs together, in one query a quantity, or in
/// few, where the ids of many would make it too long. Blocks on the network. One thread at a time.
class JobRunMetrics {
 public:
  JobRunMetrics(std::shared_ptr<oci::ServiceClient> services, std::shared_ptr<Clock> clock);

  /// The service has something new once a minute at most. Where it has refused us, it is asked again after some minutes.
  [[nodiscard]] bool isDue() const;
  /// What has come since the last call; the first time all since the run began, in intervals of a minute, or of more where
  /// that would be too many values. NotFound, PermissionDenied: the remedy names the policy that is missing.
  Result<std::vector<MonitoredValue>> poll(const TrainingRun& run, const std::stop_token& stop);

 private:
  struct Window {
    TimePoint begin, end;
    std::chrono::minutes interval{1};
  };
  struct Quantity;
  [[nodiscard]] std::optional<Window> nextWindow(const TrainingRun& run, std::size_t jobRuns) const;
  Result<std::vector<oci::MetricStream>> ask(const Quantity& quantity, const std::vector<std::string>& ids,
                                             const TrainingRun& run, const Window& window,
                                             const std::stop_token& stop);
  void take(const Quantity& quantity, const std::vector<oci::MetricStream>& streams, const Window& window,
            std::vector<MonitoredValue>& to);

  oci::MonitoringClient client_;
  std::shared_ptr<Clock> clock_;
  std::optional<SteadyPoint> next_;     // not to be asked before; nothing: at once
  std::optional<TimePoint> readUntil_;  // nothing: there was nothing yet
  bool canFilter_ = true;               // false: the service does not know `=~`
  std::map<std::pair<std::string, std::string_view>, TimePoint>
      known_;  // until when, by job run and quantity
};

}  // namespace lockstep
