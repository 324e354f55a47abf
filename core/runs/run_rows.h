// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "runs/run_summary.h"
#include "runs/training_run.h"

namespace lockstep {

// Rows of the run store (docs/formats/run-store.md). All throw SQLite::Exception and block on disk; a write is part of the
// caller's transaction.

/// The runs of `SELECT … FROM run <rest>`, in which `value` stands for ?1. DataLoss: a document of one cannot be read.
[[nodiscard]] Result<std::vector<TrainingRun>> runsWhere(SQLite::Database& db, const std::string& rest,
                                                         const std::string& value);
/// The run, its summary and its job runs. Of a run that is new and part of a sweep also its group.
void writeRun(SQLite::Database& db, const TrainingRun& run);
/// The summary alone.
void writeSummary(SQLite::Database& db, const TrainingRun& run);
/// Newest first.
[[nodiscard]] std::vector<RunSummary> readSummaries(SQLite::Database& db);
[[nodiscard]] std::vector<RunResult> readResults(SQLite::Database& db, const RunId& id);
void writeResults(SQLite::Database& db, const RunId& id, const std::vector<RunResult>& results);
void writeFindings(SQLite::Database& db, const RunId& id, const RunFindings& findings);

}  // namespace lockstep
