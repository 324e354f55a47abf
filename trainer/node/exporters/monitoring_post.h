// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "metrics/exporting/exported_values.h"
#include "oci/services/monitoring_client.h"

namespace lockstep::node {

/// What of a run is posted as streams of Monitoring: the newest values with the dimensions run, node, jobRun and rank; what is
/// no number and what has too long a name for the service is left out.
[[nodiscard]] std::vector<oci::CustomMetric> customMetricsOf(const ExportedRun& run,
                                                             const std::string& nameSpace,
                                                             const std::string& compartmentId);

/// Posts the newest values to Monitoring each minute (PostMetricData, oci-rest-contract 4.9), on a thread of its own: only what
/// has changed, and no more than kMaxStreams of it. A failure is said once.
class MonitoringPost {
 public:
  static constexpr std::size_t kMaxStreams = 500;  // of a node: ten calls
  using Newest = std::function<ExportedRun()>;
  using Say = std::function<void(const std::string&)>;
  struct Place {
    std::string nameSpace, compartmentId;
    std::chrono::milliseconds interval{60'000};
    std::chrono::milliseconds pause{600'000};  // after a refusal
  };

  MonitoringPost(std::shared_ptr<oci::ServiceClient> services, Place place, Newest newest, Say say);
  MonitoringPost(const MonitoringPost&) = delete;
  MonitoringPost& operator=(const MonitoringPost&) = delete;
  /// Posts what has changed once more, and waits for that for some seconds at most.
  ~MonitoringPost();

 private:
  void run(const std::stop_token& stop);
  /// How long to wait for the next one.
  std::chrono::milliseconds post(const std::stop_token& stop);
  std::vector<oci::CustomMetric> changed();
  void tell(const std::string& problem);

  oci::MonitoringClient client_;
  Place place_;
  Newest newest_;
  Say say_;
  std::map<std::pair<std::string, std::string>, TimePoint> posted_;  // by rank and name
  bool isTold_ = false, isManyTold_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool isDone_ = false;        // guarded by mutex_
  std::stop_source lastStop_;  // of the last post
  std::jthread thread_;
};

}  // namespace lockstep::node
