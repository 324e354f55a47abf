// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"

namespace lockstep::rehearsal {

/// What can be made to go wrong, by its name in a fault file.
enum class FaultKind {
  Latency,          // "latency": the answer waits for `delay`
  TooManyRequests,  // "throttle": 429, with `retryAfter` when given
  ServerError,      // "error": 500, or `status` (500, 502, 503, 504)
  Reset,          // "reset": the connection is cut after `bytes` of the answer's body (0: before any answer)
  LostAnswer,     // "lost-answer": the operation is carried out, then the connection is cut
  SlowBody,       // "slow-body": `bytesPerSecond`
  WrongLength,    // "wrong-length": content-length announces more than comes
  LateLogs,       // "late-logs": lines become visible `delay` after they were written
  ReorderedLogs,  // "reordered-logs": lines become visible in drawn order within `delay`
  EventualListing,  // "eventual-listing": what was created is not listed for `delay`
  ExpiredToken,     // "expired-token": the `ST$` token that asked is over from then on; a new one is not
  ClockSkew,        // "clock-skew": the region's clock is `delay` ahead (may be negative)
  OutOfCapacity,    // "out-of-capacity": a run is accepted and then FAILED
  QuotaExceeded,    // "quota": CreateJobRun is refused with 400 QuotaExceeded
  NodeKilled,       // "node-killed": every process of node `node` gets SIGKILL `delay` after its start
  NodeFrozen,       // "node-frozen": SIGSTOP instead
  DiskFull,         // "disk-full": uploads are refused with 500, lines of job runs cannot be kept
};

struct Fault {
  FaultKind kind = FaultKind::Latency;
  std::string operation = "*";  // a glob over operation names: "CreateJobRun", "List*"
  double probability = 1;       // of each request that matches
  int after = 0;                // so many matching requests are spared first
  int times = -1;               // strikes at most so often; -1: always
  std::chrono::milliseconds delay{0};
  std::optional<double> retryAfter;  // seconds
  int status = 0;
  std::uint64_t bytes = 0;
  std::uint64_t bytesPerSecond = 0;
  int node = 0;
};

/// {"seed": 7, "faults": [{"kind": "throttle", "operation": "List*", "retryAfter": 0.2, "times": 3}, …]}
/// Durations are seconds, with a fraction where wanted. A kind has only the fields that mean something to it.
struct FaultPlan {
  std::uint64_t seed = 1;
  std::vector<Fault> faults;

  /// InvalidArgument names the fault, the field and what it may be. Unknown fields are refused.
  static Result<FaultPlan> parse(const nlohmann::json& json);
  [[nodiscard]] nlohmann::json toJson() const;
};

/// The faults of a running region. The n-th decision about a fault depends on seed, fault and n alone, so
/// that a story played in the same order meets the same faults. Thread-safe.
class Faults {
 public:
  void set(FaultPlan plan);
  [[nodiscard]] FaultPlan plan() const;
  /// How often each fault of the plan has struck.
  [[nodiscard]] std::vector<int> strikes() const;
  /// The first fault of this kind that strikes now; counts the request for all that match. With `which` only
  /// the faults that it is true of are looked at.
  std::optional<Fault> strike(FaultKind kind, const std::string& operation,
                              const std::function<bool(const Fault&)>& which = {});
  /// Whether a token is over: ExpiredToken has struck it, now or before. What it ended stays so until the
  /// next plan, since nothing brings an expired token back.
  bool endsToken(const std::string& token, const std::string& operation);
  /// For faults that are a state rather than an event (ClockSkew, LateLogs, DiskFull …): counts nothing, and
  /// holds until strike() has used the fault up.
  [[nodiscard]] std::optional<Fault> active(FaultKind kind, const std::string& operation = {}) const;

 private:
  struct Counted {
    int seen = 0, struck = 0;
  };
  std::atomic<bool> any_ = false;  // so that a region without faults does not pay for them
  mutable std::mutex mutex_;
  FaultPlan plan_;
  std::vector<Counted> counts_;
  std::set<std::string> endedTokens_;  // their digests
};

}  // namespace lockstep::rehearsal
