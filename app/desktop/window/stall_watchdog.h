// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "app/desktop/support/handover.h"

namespace lockstep {

/// Measures how long the thread that made it does not come back to its event loop: a thread of its own posts
/// a ping and reports every answer that took longer than the limit. For tests and benchmarks; costs one event
/// per kPingInterval.
class StallWatchdog : public QObject {
  Q_OBJECT
 public:
  static constexpr std::chrono::milliseconds kLimit{50};
  static constexpr std::chrono::milliseconds kPingInterval{10};
  /// How long the thread was away, and how much of that it worked: the rest it waited, for the processor
  /// above all.
  struct Stall {
    std::chrono::milliseconds length{};
    std::chrono::milliseconds worked{};
  };
  /// Called on the watched thread.
  using Report = std::function<void(const Stall&)>;

  explicit StallWatchdog(Report report, QObject* parent = nullptr);
  ~StallWatchdog() override;

 private:
  void answer(std::chrono::steady_clock::time_point posted, std::chrono::nanoseconds workedBefore);

  Report report_;
  Handover handover_;
  std::jthread thread_;
};

/// Appends "<RFC 3339 time> stall <n> ms, worked <n> ms" lines to a file, each flushed at once.
[[nodiscard]] StallWatchdog::Report stallLogTo(const std::filesystem::path& file);

}  // namespace lockstep
