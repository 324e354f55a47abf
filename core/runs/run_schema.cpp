// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_schema.h"

#include <nlohmann/json.hpp>

#include "runs/run_rows.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr const char* kFirst = R"sql(
  CREATE TABLE run (id TEXT PRIMARY KEY, created INTEGER NOT NULL, job_id TEXT NOT NULL,
                    document TEXT NOT NULL, train_yaml TEXT NOT NULL);
  CREATE TABLE job_run (id TEXT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE);
  CREATE INDEX run_created ON run(created);
  CREATE INDEX run_job ON run(job_id);
)sql";

// launch_request came to format 1 with a later release: some have it.
constexpr const char* kSecond = R"sql(
  CREATE TABLE IF NOT EXISTS launch_request (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, body TEXT NOT NULL);
  CREATE TABLE summary (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, created INTEGER NOT NULL, finished INTEGER,
    name TEXT NOT NULL, state TEXT NOT NULL, backend TEXT NOT NULL, profile TEXT NOT NULL,
    config_file TEXT NOT NULL, image TEXT NOT NULL, work_dir TEXT NOT NULL, job_id TEXT NOT NULL,
    failure TEXT NOT NULL, nodes INTEGER NOT NULL, job_runs INTEGER NOT NULL, ended_ns INTEGER NOT NULL,
    live_nodes INTEGER NOT NULL, live_since INTEGER NOT NULL, cancel_requested INTEGER NOT NULL,
    has_text INTEGER NOT NULL, commit_id TEXT NOT NULL, is_dirty INTEGER NOT NULL, sweep TEXT NOT NULL,
    sweep_point INTEGER NOT NULL, is_priced INTEGER NOT NULL DEFAULT 0, per_hour REAL,
    currency TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
  CREATE INDEX summary_sweep ON summary(sweep) WHERE sweep != '';
  CREATE TABLE mark (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, note TEXT NOT NULL DEFAULT '',
    run_group TEXT NOT NULL DEFAULT '', pinned INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
  CREATE TABLE tag (
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE, tag TEXT NOT NULL,
    PRIMARY KEY (run_id, tag)) WITHOUT ROWID;
  CREATE TABLE result (
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE, metric TEXT NOT NULL, last REAL NOT NULL,
    last_step INTEGER NOT NULL, best REAL, best_step INTEGER NOT NULL, mean REAL, error REAL,
    PRIMARY KEY (run_id, metric)) WITHOUT ROWID;
  CREATE TABLE code_difference (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, difference TEXT NOT NULL);
  CREATE TABLE sweep (name TEXT PRIMARY KEY, created INTEGER NOT NULL, definition TEXT NOT NULL);
)sql";

constexpr const char* kThird = R"sql(
  CREATE TABLE finding (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, count INTEGER NOT NULL,
    worst TEXT NOT NULL, kinds TEXT NOT NULL) WITHOUT ROWID;
)sql";

/// What the columns alone tell of a run.
TrainingRun withoutDocument(const SQLite::Statement& row) {
  TrainingRun run;
  run.id = RunId(row.getColumn(0).getString());
  run.name = run.id.value;
  run.jobId = JobId(row.getColumn(2).getString());
  run.failure = "what is stored of this run cannot be read";
  return run;
}

}  // namespace

void createFirstSchema(SQLite::Database& db) {
  db.exec(kFirst);
}

void upgradeToSecondSchema(SQLite::Database& db) {
  db.exec(kSecond);
  addMissingSummaries(db);
}

void upgradeToThirdSchema(SQLite::Database& db) {
  db.exec(kThird);
}

void addMissingSummaries(SQLite::Database& db) {
  SQLite::Statement rows(db,
                         "SELECT id, created, job_id, document, train_yaml FROM run "
                         "WHERE NOT EXISTS (SELECT 1 FROM summary WHERE run_id = run.id)");
  while (rows.executeStep()) {
    const json document = json::parse(rows.getColumn(3).getString(), nullptr, false);
    TrainingRun run = trainingRunFrom(document).value_or(withoutDocument(rows));
    run.id = RunId(rows.getColumn(0).getString());
    run.created = TimePoint(std::chrono::nanoseconds(rows.getColumn(1).getInt64()));
    run.trainYaml = rows.getColumn(4).getString();
    writeSummary(db, run);
  }
}

}  // namespace lockstep
