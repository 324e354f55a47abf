// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

struct LogRecord {
  std::string id;
  TimePoint time{};
  std::string source;  // as stored: ends with the job run's OCID
  std::string message;
};

/// A part of the records of a time, oldest first.
struct LogRecords {
  std::vector<LogRecord> records;
  std::optional<TimePoint>
      rest;  // absent: they are all; else where those begin, or end, that are not among them
};

/// Logging search (oci-rest-contract 4.7). Thread-safe.
class LogSearchClient {
 public:
  explicit LogSearchClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  /// All records of the log, or with an empty `logId` of every log of the group (where the service makes a
  /// log for each job run, enableAutoLogCreation), whose source is one of the job runs, with from <= datetime
  /// <= to, oldest first; pages and over-full windows are handled inside.
  Result<std::vector<LogRecord>> search(const std::string& compartmentId, const std::string& logGroupId,
                                        const std::string& logId, const std::vector<std::string>& jobRunIds,
                                        TimePoint from, TimePoint to, const std::stop_token& stop);
  /// Likewise, but not much more than `most` of them, for whoever reads a long past in parts. Each part ends before a
  /// millisecond, and has something unless there is nothing.
  Result<LogRecords> searchPart(const std::string& compartmentId, const std::string& logGroupId,
                                const std::string& logId, const std::vector<std::string>& jobRunIds,
                                TimePoint from, TimePoint to, std::size_t most, const std::stop_token& stop);
  /// The newest of them, with one call for every 16 job runs, or a few where the service finds it too much: up to a page of
  /// 1,000 for each, of whole milliseconds. `to` is at most 14 days after `from`.
  Result<LogRecords> searchNewest(const std::string& compartmentId, const std::string& logGroupId,
                                  const std::string& logId, const std::vector<std::string>& jobRunIds,
                                  TimePoint from, TimePoint to, const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
