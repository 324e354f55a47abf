// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state/database.h"

#include <array>
#include <cstring>
#include <fstream>

#include "rehearsal/state/summaries.h"

namespace lockstep::rehearsal {
namespace {

// The tables of this room; each of the others hands in its own.
constexpr const char* kSchema = R"sql(
CREATE TABLE IF NOT EXISTS settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS resources(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, compartment TEXT NOT NULL,
  parent TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, created INTEGER NOT NULL, etag TEXT NOT NULL,
  body TEXT NOT NULL, hidden TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS resources_by_time ON resources(kind, compartment, created, seq);
CREATE INDEX IF NOT EXISTS resources_by_parent ON resources(kind, parent, created, seq);
CREATE INDEX IF NOT EXISTS resources_by_state ON resources(kind, state);
)sql";

constexpr std::uint32_t kApplicationId = 0x4c4b5247;  // "LKRG"
constexpr int kSchemaVersion = 1;
constexpr std::size_t kHeaderBytes = 100, kApplicationIdAt = 68;
// A look at every page of a larger one would be felt at each start: it is taken after an end that was none.
constexpr std::uintmax_t kAlwaysChecked = 32 << 20;

std::uint32_t pragmaNumber(SQLite::Database& db, const char* name) {
  return static_cast<std::uint32_t>(db.execAndGet(std::string("PRAGMA ") + name).getInt());
}

// Regions did not sign their databases before they had versions.
bool hasTablesOfARegion(SQLite::Database& db) {
  return db.execAndGet(
               "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('settings', 'api_keys', "
               "'resources', 'retry_tokens', 'buckets', 'objects')")
             .getInt() == 6;
}

// What brings a database of version n to n + 1 stands at n. Tables that are only added need none.
constexpr const char* kMigrations[kSchemaVersion] = {""};

Error openFailure(const std::filesystem::path& file, ErrorCode code, std::string why, std::string remedy) {
  return {code,
          "cannot use the state of the region '" + file.string() + "'",
          std::move(why),
          std::move(remedy),
          {},
          {}};
}

bool wasLeftOpen(const std::filesystem::path& file) {
  std::error_code ec;
  const auto size = std::filesystem::file_size(file.string() + "-wal", ec);
  return !ec && size > 0;
}

std::optional<Error> whyNotOurs(SQLite::Database& db, const std::filesystem::path& file, bool isChecked) {
  const bool isEmpty = db.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
  const std::uint32_t application = pragmaNumber(db, "application_id");
  const std::uint32_t version = pragmaNumber(db, "user_version");
  const bool isOurs =
      application == kApplicationId || (application == 0 && (isEmpty || hasTablesOfARegion(db)));
  if (!isOurs)
    return openFailure(file, ErrorCode::DataLoss, "it is a database of another program", "check --state");
  if (version > kSchemaVersion)
    return openFailure(file, ErrorCode::FailedPrecondition,
                       "it was written by a newer Lockstep (format " + std::to_string(version) +
                           ", this one knows " + std::to_string(kSchemaVersion) + ")",
                       "update Lockstep, or run lockstep-rehearsal reset to begin with an empty one");
  if (!isChecked) return std::nullopt;
  const std::string health = db.execAndGet("PRAGMA quick_check(1)").getString();
  if (health == "ok") return std::nullopt;
  return openFailure(file, ErrorCode::DataLoss, "it is damaged: " + health,
                     "run lockstep-rehearsal reset to begin with an empty one");
}

void createSchema(SQLite::Database& db, std::span<const char* const> schemas) {
  SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
  for (const char* schema : {kSchema, kSummariesSchema}) db.exec(schema);
  for (const char* schema : schemas) db.exec(schema);
  const std::uint32_t version = pragmaNumber(db, "user_version");
  for (std::uint32_t from = version; from < kSchemaVersion; ++from) db.exec(kMigrations[from]);
  if (version < kSchemaVersion) {
    db.exec("PRAGMA application_id=" + std::to_string(kApplicationId));
    db.exec("PRAGMA user_version=" + std::to_string(kSchemaVersion));
  }
  transaction.commit();
}

}  // namespace

Database::Database(SQLite::Database connection, std::span<const char* const> schemas)
    : connection_(std::move(connection)) {
  connection_.exec("PRAGMA journal_mode=WAL");
  connection_.exec("PRAGMA synchronous=NORMAL");
  connection_.exec("PRAGMA cache_size=-4096");
  connection_.exec("PRAGMA wal_autocheckpoint=2000");
  createSchema(connection_, schemas);
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file,
                                                 std::span<const char* const> schemas) {
  try {
    std::error_code ec;
    const auto size = std::filesystem::file_size(file, ec);
    const bool isChecked = !ec && (size <= kAlwaysChecked || wasLeftOpen(file));
    SQLite::Database db(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 5000);
    if (auto why = whyNotOurs(db, file, isChecked)) return failure(*std::move(why));
    return std::unique_ptr<Database>(new Database(std::move(db), schemas));
  } catch (const SQLite::Exception& e) {
    return failure(ErrorCode::Io, "cannot open the state of the region '" + file.string() + "'", e.what(),
                   "run lockstep-rehearsal reset to begin with an empty one");
  }
}

Database::Owner Database::ownerOf(const std::filesystem::path& file) {
  std::array<unsigned char, kHeaderBytes> header{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char*>(header.data()), header.size());
  if (!stream || std::memcmp(header.data(), "SQLite format 3", 16) != 0) return Owner::Unknown;
  std::uint32_t application = 0;
  for (std::size_t i = 0; i < 4; ++i) application = application << 8 | header[kApplicationIdAt + i];
  if (application != 0) return application == kApplicationId ? Owner::Region : Owner::Other;
  try {
    SQLite::Database db(file.string(), SQLite::OPEN_READONLY, 1000);
    return hasTablesOfARegion(db) ? Owner::Region : Owner::Other;
  } catch (const SQLite::Exception&) {
    return Owner::Unknown;
  }
}

Transaction::Transaction(Database& database) : lock_(database.mutex_), database_(database) {
  database_.connection_.exec("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  if (forgot_) database_.derived_.reset();  // made from what is now taken back
  for (auto& [text, statement] : database_.statements_) statement.tryReset();
  database_.connection_.tryExec("ROLLBACK");
}

SQLite::Statement& Transaction::sql(const std::string& text) {
  auto found = database_.statements_.find(text);
  if (found == database_.statements_.end())
    found = database_.statements_.try_emplace(text, database_.connection_, text).first;
  found->second.tryReset();
  found->second.clearBindings();
  return found->second;
}

void Transaction::forgetDerived() {
  database_.derived_.reset();
  forgot_ = true;
}

long long Transaction::lastId() const {
  return database_.connection_.getLastInsertRowid();
}

void Transaction::commit() {
  // A statement that still stands on a row would keep the read mark of the log.
  for (auto& [text, statement] : database_.statements_) statement.tryReset();
  database_.connection_.exec("COMMIT");
  open_ = false;
}

}  // namespace lockstep::rehearsal
