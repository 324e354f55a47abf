// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

#include "base/clock.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// What logs hold, and how far the output of each run was read.
inline constexpr const char* kLogsSchema = R"sql(
CREATE TABLE IF NOT EXISTS log_records(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, log TEXT NOT NULL, time INTEGER NOT NULL, id TEXT NOT NULL,
  source TEXT NOT NULL, type TEXT NOT NULL, subject TEXT NOT NULL, ingested INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS log_records_by_time ON log_records(log, time, seq);
CREATE TABLE IF NOT EXISTS run_tails(run TEXT PRIMARY KEY, offset INTEGER NOT NULL) WITHOUT ROWID;
)sql";

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
