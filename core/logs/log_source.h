// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "logs/log_line.h"

namespace lockstep {

/// What an owner who keeps lines has of a run.
struct KeptLines {
  TimePoint wholeUntil{};          // what LogSource::wholeUntil() said last
  std::vector<std::string> nodes;  // that have lines among them
};

/// Lines of all nodes of a run. poll() yields each line exactly once, however late and in whatever order the
/// service shows it, sorted by time within one poll. Blocks on the network. One owner thread.
class LogSource {
 public:
  virtual ~LogSource() = default;
  virtual Result<std::vector<LogLine>> poll(const std::stop_token& stop) = 0;
  /// The past is longer than what was read of it: the next poll goes on. To be asked between polls.
  [[nodiscard]] virtual bool isBehind() const { return false; }
  /// For an owner who puts the lines in order and keeps them: the first poll brings the newest ones, before those of the
  /// past, and what is kept as a whole is not read again, if all nodes have lines there. To be said before the first poll; a
  /// source that cannot do it does as always.
  virtual void startWithNewest(const std::optional<KeptLines>& kept) { (void)kept; }
  /// All lines before that time have come, as far as this source will ever look: what such an owner may say the next time.
  /// Nothing: not known, or the past is still being read. To be asked between polls.
  [[nodiscard]] virtual std::optional<TimePoint> wholeUntil() const { return std::nullopt; }
};

}  // namespace lockstep
