// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

inline constexpr const char* kJobRunMetrics = "oci_datascience_jobrun";  // the namespace of job runs

/// One query in MQL (oci-rest-contract 4.9): `GpuUtilization[1m]{resourceId = "…"}.mean()`.
struct MetricQuery {
  std::string metric;
  std::string interval = "1m";                      // 1m-60m, 1h-24h, 1d
  std::map<std::string, std::string> dimensions{};  // equal to
  std::vector<std::string> groupBy{};
  bool mergeStreams = false;  // .grouping()
  std::string statistic = "mean()";
  std::map<std::string, std::vector<std::string>>
      oneOf{};  // equal to one of these, which have no `*` and `|`
};
[[nodiscard]] std::string toMql(const MetricQuery& query);
/// The interval for a span, as Oracle's job monitor chooses it.
[[nodiscard]] std::string intervalFor(std::chrono::nanoseconds span);

struct MetricPoint {
  TimePoint timestamp{};  // the interval's beginning
  double value = 0;
};

struct MetricStream {
  std::string nameSpace, compartmentId, name, resourceGroup, resolution;
  std::map<std::string, std::string> dimensions;
  std::map<std::string, std::string> metadata;  // "unit"
  std::vector<MetricPoint> points;              // without the intervals that have no samples
};

struct MetricName {
  std::string nameSpace, name, compartmentId, resourceGroup;
  std::map<std::string, std::string> dimensions;
};

/// A stream of samples of our own.
struct CustomMetric {
  struct Point {
    TimePoint timestamp{};
    double value = 0;
    int count = 1;
  };
  std::string nameSpace, compartmentId, name, resourceGroup;
  std::map<std::string, std::string> dimensions;
  std::map<std::string, std::string> metadata;
  std::vector<Point> points;
};

struct RefusedMetric {
  std::string message;
  std::string name;
  std::map<std::string, std::string> dimensions;
};

/// Monitoring (oci-rest-contract 4.9). Thread-safe.
class MonitoringClient {
 public:
  explicit MonitoringClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}

  struct Summary {
    std::string compartmentId, nameSpace;
    std::string query;  // MQL
    std::string resourceGroup;
    std::optional<TimePoint> start, end;  // end excluded; absent: the last three hours
    std::string resolution;               // empty: 1m
    bool inSubtree = false;
  };
  /// One element per stream; none for no data.
  Result<std::vector<MetricStream>> summarize(const Summary& summary, const std::stop_token& stop);

  struct Search {
    std::string compartmentId, nameSpace, name;  // name and namespace may be empty
    std::map<std::string, std::string> dimensions;
    bool inSubtree = false;
  };
  Result<std::vector<MetricName>> listMetrics(const Search& search, const std::stop_token& stop);

  /// Sends any number of streams, 50 a call. InvalidArgument, before anything is sent, for what the service
  /// would refuse (namespace, dimensions, a timestamp older than two hours or more than ten minutes ahead).
  /// What the service refused all the same is the answer.
  Result<std::vector<RefusedMetric>> post(const std::vector<CustomMetric>& metrics,
                                          const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

/// Why the service would refuse it; empty: it would not.
[[nodiscard]] std::string problemOf(const CustomMetric& metric, TimePoint now);

}  // namespace lockstep::oci
