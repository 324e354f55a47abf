// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>

#include "rehearsal/api/audit_entry.h"
#include "rehearsal/api/router.h"

namespace lockstep::rehearsal {

/// The last requests that the region answered, numbered from 1, in memory. Thread-safe.
class RequestAudit {
 public:
  explicit RequestAudit(std::size_t max = 8192) : max_(max) {}

  void record(const AuditEntry& entry);
  /// The entries numbered above `since`, oldest first, and what is needed to ask on: {"entries": [{"number",
  /// "time", "method", "path", "operation", "principal", "principalKind", "tenancy", "status", "code",
  /// "requestId", "why", "microseconds", "isMutating"}], "last": n, "dropped": how many above `since` are no
  /// longer kept}.
  [[nodiscard]] nlohmann::json since(std::uint64_t since, std::size_t limit) const;

 private:
  mutable std::mutex mutex_;
  std::size_t max_;
  std::uint64_t last_ = 0;  // number of entries_.back()
  std::deque<AuditEntry> entries_;
};

/// Whether an operation changes something when it succeeds.
[[nodiscard]] bool isMutating(const std::string& method, const std::string& operation);

/// GET /rehearsal/audit?since=<number>&limit=<entries>
void addAuditAdmin(Router& admin, const RequestAudit& audit);

}  // namespace lockstep::rehearsal
