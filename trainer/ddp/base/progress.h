// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "workdir/rank_phase.h"

namespace lockstep::trainer {

/// Where a rank is: enough to say who keeps whom waiting.
struct Standing {
  RankPhase phase = RankPhase::Starting;
  long long step = -1;        // -1: before the first
  long long collectives = 0;  // begun so far; the rank with the fewest is the one that the others wait for
  long long busyMicros = 0;   // spent outside of collectives since the first one
  long long segments = 0;     // of metrics that are stored
};
/// "at step 17 (backward)" | "while joining"
[[nodiscard]] std::string describe(const Standing& standing);
/// Five numbers with blanks between them, and back.
[[nodiscard]] std::string encode(const Standing& standing);
[[nodiscard]] std::optional<Standing> decodeStanding(std::string_view text);

/// Written by the training thread, read by any: the peers' watch, the heartbeat, the last message.
class Progress {
 public:
  void enter(RankPhase phase) { phase_.store(phase, std::memory_order_relaxed); }
  void beginStep(long long step) { step_.store(step, std::memory_order_relaxed); }
  /// Its number, from 1.
  long long beginCollective() { return collectives_.fetch_add(1, std::memory_order_relaxed) + 1; }
  void addBusy(long long micros) { busyMicros_.fetch_add(micros, std::memory_order_relaxed); }
  void storeSegments(long long count) { segments_.store(count, std::memory_order_relaxed); }
  [[nodiscard]] Standing standing() const {
    return {phase_.load(std::memory_order_relaxed), step_.load(std::memory_order_relaxed),
            collectives_.load(std::memory_order_relaxed), busyMicros_.load(std::memory_order_relaxed),
            segments_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<RankPhase> phase_{RankPhase::Starting};
  std::atomic<long long> step_{-1};
  std::atomic<long long> collectives_{0};
  std::atomic<long long> busyMicros_{0};
  std::atomic<long long> segments_{0};
};

}  // namespace lockstep::trainer
