// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
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

/// Keeps the points; a point of the same stream and time is counted once.
void saveMetricPoints(Session& session, const std::vector<MetricPoint>& points);

}  // namespace lockstep::rehearsal
