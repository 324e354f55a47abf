// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "rehearsal/support/run_folder.h"

namespace lockstep::rehearsal {

/// Carries out the startup probe of a node from within its supervisor, which reaps for it. A try ends with
/// its period at the latest, and has failed then.
class ProbeRunner {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  ProbeRunner(StartupProbe probe, std::map<std::string, std::string> environment, std::filesystem::path home);

  /// When to look again.
  [[nodiscard]] SteadyTime next() const { return next_; }
  /// Begins a try when it is time. Once the probe is settled: empty when the node is ready, else what is
  /// wrong.
  std::optional<std::string> look(SteadyTime now);
  /// A process was reaped; whether it was a try of ours.
  bool ended(pid_t pid, int status);

 private:
  void fail(const std::string& how);

  StartupProbe probe_;
  std::map<std::string, std::string> environment_;
  std::filesystem::path home_;
  SteadyTime next_;
  pid_t running_ = -1;
  int failures_ = 0;
  std::string lastFailure_;
  bool ready_ = false;
};

}  // namespace lockstep::rehearsal
