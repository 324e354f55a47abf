// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <thread>

#include "base/text/quote.h"
#include "runs/run_schema.h"

namespace lockstep {
namespace {

constexpr int kBusyTimeoutMs = 10'000;
constexpr int kApplicationId =
    0x4c4b5354;  // "LKST", so that another program's database is never taken for ours
// Reading it all takes a second for each gigabyte: of a large one the table is looked at that every list begins with;
// elsewhere damage is met when it is read.
constexpr std::int64_t kMostChecked = std::int64_t{16} << 20;

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
  const int version = pragmaNumber(db, "user_version");  // perhaps another process was quicker
  if (version < kRunSchemaVersion) {
    if (version == 0) {
      createFirstSchema(db);
      db.exec(fmt::format("PRAGMA application_id={}", kApplicationId));
    }
    if (version < 2) upgradeToSecondSchema(db);
    if (version < 3) upgradeToThirdSchema(db);
    db.exec(fmt::format("PRAGMA user_version={}", kRunSchemaVersion));
  }
  transaction.commit();
}

bool lacksSummaries(SQLite::Database& db) {
  return db.execAndGet("SELECT (SELECT count(*) FROM run) != (SELECT count(*) FROM summary)").getInt() != 0;
}

std::string healthOf(SQLite::Database& db, int version) {
  const std::int64_t bytes = db.execAndGet("PRAGMA page_count").getInt64() * pragmaNumber(db, "page_size");
  if (bytes <= kMostChecked || version < 2) return db.execAndGet("PRAGMA quick_check(1)").getString();
  return db.execAndGet("PRAGMA quick_check(summary)").getString();
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
  if (version > kRunSchemaVersion) {
    return Error{ErrorCode::FailedPrecondition,
                 what,
                 fmt::format("it was written by a newer Lockstep (format {}, this one knows {})", version,
                             kRunSchemaVersion),
                 "update Lockstep",
                 {},
                 {}};
  }
  const std::string health = healthOf(db, version);
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
  if (pragmaNumber(db, "user_version") != kRunSchemaVersion) createSchema(db);
  if (lacksSummaries(db)) {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    addMissingSummaries(db);
    transaction.commit();
  }
  return db;
}

}  // namespace lockstep
