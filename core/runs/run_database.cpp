// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <thread>

#include "base/quote.h"

namespace lockstep {
namespace {

constexpr int kBusyTimeoutMs = 10'000;
constexpr int kApplicationId =
    0x4c4b5354;  // "LKST", so that another program's database is never taken for ours
constexpr int kSchemaVersion = 1;
constexpr const char* kSchema = R"sql(
  CREATE TABLE run (id TEXT PRIMARY KEY, created INTEGER NOT NULL, job_id TEXT NOT NULL,
                    document TEXT NOT NULL, train_yaml TEXT NOT NULL);
  CREATE TABLE job_run (id TEXT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE);
  CREATE INDEX run_created ON run(created);
  CREATE INDEX run_job ON run(job_id);
)sql";

// Beside the schema since a later release, and unknown to earlier ones: no reason for another version.
constexpr const char* kLaunchRequests = R"sql(
  CREATE TABLE IF NOT EXISTS launch_request (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, body TEXT NOT NULL);
)sql";

int pragmaNumber(SQLite::Database& db, const char* name) {
  return db.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

// Switching to WAL needs the file alone for a moment, and SQLite does not wait for that by itself.
void enableWal(SQLite::Database& db) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  for (;;) {
    try {
      db.exec("PRAGMA journal_mode=WAL");
      return;
    } catch (const SQLite::Exception& error) {
      const int code = error.getErrorCode();
      if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) || std::chrono::steady_clock::now() > deadline)
        throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

void createSchema(SQLite::Database& db) {
  SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
  if (pragmaNumber(db, "user_version") == 0) {  // not in the meantime by another process
    db.exec(kSchema);
    db.exec(fmt::format("PRAGMA application_id={}", kApplicationId));
    db.exec(fmt::format("PRAGMA user_version={}", kSchemaVersion));
  }
  transaction.commit();
}

std::string moveAwayRemedy(const std::filesystem::path& path) {
  return fmt::format(
      "move it away (mv {0} {1}) to begin with an empty history; the runs themselves are not affected",
      quoteShell(path.string()), quoteShell(path.string() + ".damaged"));
}

std::optional<Error> whyNotOurs(SQLite::Database& db, const std::filesystem::path& path) {
  const std::string what = fmt::format("cannot use the run history '{}'", path.string());
  const int tables = db.execAndGet("SELECT count(*) FROM sqlite_master").getInt();
  const int version = pragmaNumber(db, "user_version");
  if (tables > 0 && pragmaNumber(db, "application_id") != kApplicationId) {
    return Error{ErrorCode::DataLoss,  what, "it is a database of another program",
                 moveAwayRemedy(path), {},   {}};
  }
  if (version > kSchemaVersion) {
    return Error{ErrorCode::FailedPrecondition,
                 what,
                 fmt::format("it was written by a newer Lockstep (format {}, this one knows {})", version,
                             kSchemaVersion),
                 "update Lockstep",
                 {},
                 {}};
  }
  const std::string health = db.execAndGet("PRAGMA quick_check(1)").getString();
  if (health != "ok")
    return Error{ErrorCode::DataLoss, what, "it is damaged: " + health, moveAwayRemedy(path), {}, {}};
  return std::nullopt;
}

ErrorCode codeOfSqlite(int code) {
  switch (code) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::DataLoss;
    case SQLITE_FULL:
      return ErrorCode::ResourceExhausted;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::Unavailable;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return ErrorCode::PermissionDenied;
    default:
      return ErrorCode::Io;
  }
}

std::string remedyOf(ErrorCode code, const std::filesystem::path& path) {
  switch (code) {
    case ErrorCode::DataLoss:
      return moveAwayRemedy(path);
    case ErrorCode::ResourceExhausted:
      return "free some space on that disk";
    case ErrorCode::Unavailable:
      return "another process of Lockstep holds it; try again";
    default:
      return "check the owner and the mode of the file and of its folder";
  }
}

}  // namespace

Error sqliteError(std::string what, const SQLite::Exception& error, const std::filesystem::path& path) {
  const ErrorCode code = codeOfSqlite(error.getErrorCode());
  return Error{code, std::move(what), error.what(), remedyOf(code, path), {}, {}};
}

Result<SQLite::Database> openRunDatabase(const std::filesystem::path& path) {
  SQLite::Database db(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
  // Looked at before anything is written: a file that we do not understand stays as it is.
  if (auto reason = whyNotOurs(db, path)) return failure(*std::move(reason));
  enableWal(db);
  db.exec("PRAGMA synchronous=FULL");
  db.exec("PRAGMA foreign_keys=ON");
  createSchema(db);
  db.exec(kLaunchRequests);
  return db;
}

}  // namespace lockstep
