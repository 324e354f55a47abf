// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tl/expected.hpp>

#include "base/clock.h"

namespace lockstep::oci {

/// When an endpoint counts as down (oci-rest-contract 3.3, the Go SDK's numbers).
struct BreakerLimits {
  int minCalls = 10;
  double failedShare = 0.8;
  std::chrono::seconds window{120};
  std::chrono::seconds openFor{30};
};

/// Stops calling an endpoint that fails nearly every time: lets everything through while closed; open,
/// nothing; then a single probe decides. Each endpoint has a circuit of its own. Thread-safe.
class CircuitBreakers {
 public:
  /// Leave to make one attempt; hand it to leave() whatever comes of it.
  struct Pass {
    std::string endpoint;
    std::uint64_t round = 0;
  };
  /// Why there is none.
  struct Refusal {
    std::chrono::nanoseconds wait{0};  // until the next attempt has a chance
    int failed = 0, calls = 0;         // what opened the circuit
    std::string reason;                // of the last failure
  };
  enum class Outcome {
    Well,
    Failed,
    Unknown,  // cancelled, or never sent for reasons of our own
  };

  explicit CircuitBreakers(BreakerLimits limits = {}) : limits_(limits) {}
  tl::expected<Pass, Refusal> enter(const std::string& endpoint, SteadyPoint now);
  /// `reason` of a failure, in a few words: "HTTP 503 ServiceUnavailable".
  void leave(const Pass& pass, Outcome outcome, SteadyPoint now, const std::string& reason = {});

 private:
  static constexpr std::size_t kSlices = 12;
  struct Slice {
    std::int64_t number = -1;
    int calls = 0, failed = 0;
  };
  struct Circuit {
    enum class State { Closed, Open, Probing } state = State::Closed;
    std::uint64_t round = 0;  // a pass of an earlier one no longer says anything
    SteadyPoint opened{};
    Refusal last;
    std::array<Slice, kSlices> slices{};
  };
  void open(Circuit& circuit, SteadyPoint now, int failed, int calls, const std::string& reason);
  void count(Circuit& circuit, Outcome outcome, SteadyPoint now, const std::string& reason);

  const BreakerLimits limits_;
  std::mutex mutex_;
  std::map<std::string, Circuit> circuits_;
};

}  // namespace lockstep::oci
