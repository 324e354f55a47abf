// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// SummarizeMetricsData and ListMetrics; PostMetricData (oci-rest-contract 4.9).
void addMonitoring(Router& router, Database& database);
void addMetricIngestion(Router& router, Database& database);

}  // namespace lockstep::rehearsal
