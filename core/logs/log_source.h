// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>
#include <vector>

#include "base/error.h"
#include "logs/log_line.h"

namespace lockstep {

/// Lines of all nodes of a run. poll() yields each line exactly once, however late and in whatever order the
/// service shows it, sorted by time within one poll. Blocks on the network. One owner thread.
class LogSource {
 public:
  virtual ~LogSource() = default;
  virtual Result<std::vector<LogLine>> poll(const std::stop_token& stop) = 0;
  /// The past is longer than what was read of it: the next poll goes on. To be asked between polls.
  [[nodiscard]] virtual bool isBehind() const { return false; }
};

}  // namespace lockstep
