// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <mutex>
#include <optional>

#include "launch/run_follower.h"

namespace lockstep {

/// Where the monitor's thread leaves what it saw and the UI thread takes it from: the newest of everything, however long
/// nothing is taken. Lines and samples are in their snapshots (`log`, `samples`), `lines` and `metrics` are empty.
/// Thread-safe.
class RunMailbox {
 public:
  /// True when the UI thread must be told (it is not already due).
  bool put(RunUpdate update);
  /// What is new since the last one, or nothing; the next put() tells again.
  std::shared_ptr<const RunUpdate> take();

 private:
  std::mutex mutex_;
  std::optional<RunUpdate> waiting_;
};

}  // namespace lockstep
