// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

#include "base/clock.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

struct LogIntake {
  std::string runId;
  std::string logId;
  std::filesystem::path file;  // NodeFolder::output
  std::string place;           // under which the place reached is kept: the run, or one of its nodes
};

/// Copies the next captured lines of a run into the log. The place reached is committed with the lines, so
/// that each line is copied once however often the region dies. False when there was nothing more.
bool copySomeLines(Database& database, const LogIntake& intake, TimePoint now);

}  // namespace lockstep::rehearsal
