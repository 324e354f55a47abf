// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

struct LogEntry {
  std::string data;  // a line, or JSON text; below 1 MB; a field over 10,000 characters is cut at ingestion
  std::string id;    // empty: a new one
  TimePoint time{};  // 0: the batch's
};

struct LogBatch {
  std::string source, type, subject;  // subject may be empty
  TimePoint defaultTime{};
  std::vector<LogEntry> entries;
};

/// Logging ingestion (oci-rest-contract 4.8). Thread-safe.
class LogIngestionClient {
 public:
  explicit LogIngestionClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  /// Accepted is not yet visible. InvalidArgument for an entry that the service would refuse. A batch whose
  /// answer was lost is not sent again.
  Result<void> putLogs(const std::string& logId, const std::vector<LogBatch>& batches,
                       const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
