// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/circuit_breaker.h"

#include <algorithm>

namespace lockstep::oci {
namespace {

// What the others wait for while a probe is out.
constexpr std::chrono::seconds kProbeWait{1};

}  // namespace

tl::expected<CircuitBreakers::Pass, CircuitBreakers::Refusal> CircuitBreakers::enter(
    const std::string& endpoint, SteadyPoint now) {
  const std::lock_guard lock(mutex_);
  Circuit& circuit = circuits_[endpoint];
  if (circuit.state == Circuit::State::Closed) return Pass{endpoint, circuit.round};
  Refusal refusal = circuit.last;
  if (circuit.state == Circuit::State::Probing) {
    refusal.wait = kProbeWait;
    return tl::unexpected(refusal);
  }
  const auto open = now - circuit.opened;
  if (open < limits_.openFor) {
    refusal.wait = limits_.openFor - open;
    return tl::unexpected(refusal);
  }
  circuit.state = Circuit::State::Probing;
  return Pass{endpoint, ++circuit.round};
}

void CircuitBreakers::open(Circuit& circuit, SteadyPoint now, int failed, int calls,
                           const std::string& reason) {
  circuit.state = Circuit::State::Open;
  circuit.opened = now;
  circuit.last = {std::chrono::nanoseconds(0), failed, calls, reason};
  circuit.slices = {};
  ++circuit.round;
}

void CircuitBreakers::count(Circuit& circuit, Outcome outcome, SteadyPoint now, const std::string& reason) {
  const auto length = std::chrono::nanoseconds(limits_.window) / static_cast<std::int64_t>(kSlices);
  const std::int64_t number = now.time_since_epoch() / length;
  Slice& slice = circuit.slices[static_cast<std::size_t>(number) % kSlices];
  if (slice.number != number) slice = {number, 0, 0};
  ++slice.calls;
  if (outcome == Outcome::Failed) ++slice.failed;
  int calls = 0;
  int failed = 0;
  for (const Slice& each : circuit.slices) {
    if (each.number <= number - static_cast<std::int64_t>(kSlices) || each.number > number) continue;
    calls += each.calls;
    failed += each.failed;
  }
  if (outcome == Outcome::Failed && calls >= limits_.minCalls && failed >= limits_.failedShare * calls)
    open(circuit, now, failed, calls, reason);
}

void CircuitBreakers::leave(const Pass& pass, Outcome outcome, SteadyPoint now, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  Circuit& circuit = circuits_[pass.endpoint];
  if (circuit.round != pass.round) return;
  if (circuit.state == Circuit::State::Closed) {
    if (outcome != Outcome::Unknown) count(circuit, outcome, now, reason);
    return;
  }
  // The probe. One that told nothing leaves the place to the next.
  switch (outcome) {
    case Outcome::Well:
      circuit.state = Circuit::State::Closed;
      ++circuit.round;
      break;
    case Outcome::Failed:
      open(circuit, now, circuit.last.failed + 1, circuit.last.calls + 1, reason);
      break;
    case Outcome::Unknown:
      circuit.state = Circuit::State::Open;
      circuit.opened = now - limits_.openFor;
      break;
  }
}

}  // namespace lockstep::oci
