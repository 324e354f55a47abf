// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// One point of one metric stream (oci-rest-contract 4.9).
struct MetricPoint {
  std::string nameSpace;  // "oci_datascience_jobrun"
  std::string name;       // "CpuUtilization"
  std::string compartment;
  std::string resourceGroup;
  std::map<std::string, std::string> dimensions;  // {"resourceId": "ocid1.datasciencejobrun…"}
  std::string unit;                               // "percent"; empty: unknown
  long long millis = 0;                           // since the epoch
  double value = 0;
  double count = 1;
};

/// Keeps the points for kMetricRetention; a point of the same stream and time is counted once: the first.
void saveMetricPoints(Transaction& transaction, const std::vector<MetricPoint>& points);

inline constexpr long long kMetricRetentionMs = 90LL * 24 * 3600 * 1000;

/// A stream: everything of a point but its time and value.
struct MetricStream {
  long long id = 0;
  std::string nameSpace, name, compartment, resourceGroup;
  std::map<std::string, std::string> dimensions;
  std::string unit;
};

struct StreamQuery {
  std::string compartment;
  std::optional<std::string> nameSpace, name;
  std::optional<std::string> resourceGroup;  // "": those without one
};
/// The streams that had points within the retention, in the order in which they came to be.
std::vector<MetricStream> findStreams(Transaction& transaction, const StreamQuery& query);
/// The compartments that have streams at all.
std::vector<std::string> compartmentsWithMetrics(Transaction& transaction);

struct MetricSample {
  long long millis = 0;
  double value = 0, count = 1;
};
/// From `begin` to before `end`, by time; at most `max` of them.
std::vector<MetricSample> readSamples(Transaction& transaction, long long stream, long long begin,
                                      long long end, std::size_t max);

// The points of a stream stand together and in order, so that a query reads one stretch for each stream.
inline constexpr const char* kMetricSchema = R"sql(
CREATE TABLE IF NOT EXISTS metric_streams(
  id INTEGER PRIMARY KEY AUTOINCREMENT, compartment TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  resource_group TEXT NOT NULL, dimensions TEXT NOT NULL, unit TEXT NOT NULL, last INTEGER NOT NULL,
  UNIQUE(compartment, namespace, name, resource_group, dimensions));
CREATE TABLE IF NOT EXISTS metric_points(
  stream INTEGER NOT NULL, time INTEGER NOT NULL, value REAL NOT NULL, count REAL NOT NULL,
  PRIMARY KEY(stream, time)) WITHOUT ROWID;
)sql";

}  // namespace lockstep::rehearsal
