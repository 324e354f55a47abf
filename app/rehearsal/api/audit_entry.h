// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "rehearsal/api/principal.h"

namespace lockstep::rehearsal {

/// One request that was answered, for the region's audit. Nothing in it is secret: no header, no body, no
/// query.
struct AuditEntry {
  TimePoint time;
  std::optional<Principal> principal;  // none: not authenticated
  std::string operation;               // "CreateJobRun"; empty: none at this path
  std::string method, path;
  int status = 0;
  std::string code;  // of a refusal
  std::string requestId;
  std::string why;  // of a 401: what the caller is not told
  std::chrono::microseconds duration{0};
};
/// Called from any thread, outside of any transaction. Must not throw and not be slow.
using AuditHook = std::function<void(const AuditEntry&)>;

}  // namespace lockstep::rehearsal
