// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/ids.h"

namespace lockstep {

enum class LogLevel { Debug, Info, Warning, Error };

/// One line that a node printed.
struct LogLine {
  std::string id;  // the service's record id; what makes a line unique
  TimePoint time{};
  JobRunId jobRun;
  std::string node;          // display name of the job run, "worker_0"
  std::optional<Rank> rank;  // absent: the node agent's own line
  LogLevel level = LogLevel::Info;
  std::string text;  // valid UTF-8, without the line end
};

/// Guesses the level from the text ("ERROR", "Traceback", "warning:" …); Info when nothing says otherwise.
[[nodiscard]] LogLevel levelOf(std::string_view text);
/// lockstep-node prefixes a rank's lines with "[rank 3] " when its node runs more than one; this takes it
/// off.
[[nodiscard]] std::optional<Rank> parseRankPrefix(std::string& text);

}  // namespace lockstep
