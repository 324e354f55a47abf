// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"

namespace lockstep::oci {

/// One attempt of one call, as the audit keeps it. It has no place for headers, bodies, queries or keys, so
/// no secret can come in.
struct CallRecord {
  std::uint64_t number = 0;  // set by the audit, from 1
  TimePoint at{};
  std::string method;     // "POST"
  std::string service;    // "Data Science"
  std::string operation;  // "CreateJobRun"
  std::string host;       // "datascience.us-ashburn-1.oci.oraclecloud.com"
  int attempt = 1;
  int httpStatus = 0;     // 0: no answer
  std::string errorCode;  // "NotAuthorizedOrNotFound"; for no answer the ErrorCode's name
  std::string requestId;  // opc-request-id
  std::chrono::nanoseconds duration{0};
};

/// Is told of every attempt. Thread-safe; record() never blocks for long.
class CallAudit {
 public:
  virtual ~CallAudit() = default;
  virtual void record(CallRecord record) = 0;
};

/// Keeps the last `max` attempts in memory.
class CallHistory final : public CallAudit {
 public:
  explicit CallHistory(std::size_t max = 5'000) : max_(max) {}
  void record(CallRecord record) override;
  /// Those with a number above `after`, oldest first.
  [[nodiscard]] std::vector<CallRecord> since(std::uint64_t after) const;

 private:
  const std::size_t max_;
  mutable std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::vector<CallRecord> ring_;
};

}  // namespace lockstep::oci
