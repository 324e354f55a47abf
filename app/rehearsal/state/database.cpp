// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state/database.h"

#include "rehearsal/objects/preauthenticated.h"
#include "rehearsal/objects/versions.h"
#include "rehearsal/registry/registry_store.h"

#include "rehearsal/jobs/job_artifacts.h"
#include "rehearsal/identity/user_store.h"
#include "rehearsal/limits/service_limits.h"
#include "rehearsal/monitoring/metric_points.h"
#include "rehearsal/network/seats.h"
#include "rehearsal/state/summaries.h"

namespace lockstep::rehearsal {
namespace {

// Object bytes stand last in their row, so that listings never read them.
constexpr const char* kSchema = R"sql(
CREATE TABLE IF NOT EXISTS settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS api_keys(
  key_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, tenancy_id TEXT NOT NULL, pem TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS resources(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, compartment TEXT NOT NULL,
  parent TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, created INTEGER NOT NULL, etag TEXT NOT NULL,
  body TEXT NOT NULL, hidden TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS resources_by_time ON resources(kind, compartment, created, seq);
CREATE INDEX IF NOT EXISTS resources_by_parent ON resources(kind, parent, created, seq);
CREATE INDEX IF NOT EXISTS resources_by_state ON resources(kind, state);
CREATE TABLE IF NOT EXISTS retry_tokens(
  token TEXT NOT NULL, scope TEXT NOT NULL, body_hash TEXT NOT NULL, created INTEGER NOT NULL, reply TEXT NOT NULL,
  PRIMARY KEY(scope, token)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS buckets(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL, name TEXT NOT NULL, compartment TEXT NOT NULL,
  created INTEGER NOT NULL, etag TEXT NOT NULL, body TEXT NOT NULL, UNIQUE(namespace, name));
CREATE TABLE IF NOT EXISTS objects(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
  etag TEXT NOT NULL, md5 TEXT NOT NULL, multipart_md5 TEXT NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,
  headers TEXT NOT NULL, file TEXT NOT NULL, bytes BLOB, UNIQUE(bucket, name));
CREATE TABLE IF NOT EXISTS uploads(
  id TEXT PRIMARY KEY, bucket INTEGER NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL, headers TEXT NOT NULL)
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS upload_parts(
  upload TEXT NOT NULL, number INTEGER NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, md5 TEXT NOT NULL,
  file TEXT NOT NULL, PRIMARY KEY(upload, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS log_records(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, log TEXT NOT NULL, time INTEGER NOT NULL, id TEXT NOT NULL,
  source TEXT NOT NULL, type TEXT NOT NULL, subject TEXT NOT NULL, ingested INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS log_records_by_time ON log_records(log, time, seq);
CREATE TABLE IF NOT EXISTS run_tails(run TEXT PRIMARY KEY, offset INTEGER NOT NULL) WITHOUT ROWID;
)sql";

}  // namespace

Database::Database(const std::filesystem::path& file)
    : connection_(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 5000) {
  connection_.exec("PRAGMA journal_mode=WAL");
  connection_.exec("PRAGMA synchronous=NORMAL");
  connection_.exec("PRAGMA cache_size=-4096");
  connection_.exec("PRAGMA wal_autocheckpoint=2000");
  connection_.exec(kSchema);
  connection_.exec(kObjectVersionsSchema);
  connection_.exec(kRegistrySchema);
  connection_.exec(kPreauthenticatedSchema);
  for (const char* schema : {kNetworkSchema, kJobArtifactsSchema, kMetricSchema, kServiceLimitsSchema, kSummariesSchema,
                             kApiKeyTimesSchema})
    connection_.exec(schema);
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file) {
  try {
    return std::unique_ptr<Database>(new Database(file));
  } catch (const SQLite::Exception& e) {
    return failure(StatusCode::Io, "cannot open the state of the region '" + file.string() + "'", e.what(),
                   "run lockstep-rehearsal reset to begin with an empty one");
  }
}

Session::Session(Database& database) : lock_(database.mutex_), database_(database) {
  database_.connection_.exec("BEGIN IMMEDIATE");
}

Session::~Session() {
  if (!open_) return;
  if (forgot_) database_.derived_.reset();  // made from what is now taken back
  for (auto& [text, statement] : database_.statements_) statement.tryReset();
  database_.connection_.tryExec("ROLLBACK");
}

SQLite::Statement& Session::sql(const std::string& text) {
  auto found = database_.statements_.find(text);
  if (found == database_.statements_.end())
    found = database_.statements_.try_emplace(text, database_.connection_, text).first;
  found->second.tryReset();
  found->second.clearBindings();
  return found->second;
}

void Session::forgetDerived() {
  database_.derived_.reset();
  forgot_ = true;
}

long long Session::lastId() const {
  return database_.connection_.getLastInsertRowid();
}

void Session::commit() {
  // A statement that still stands on a row would keep the read mark of the log.
  for (auto& [text, statement] : database_.statements_) statement.tryReset();
  database_.connection_.exec("COMMIT");
  open_ = false;
}

}  // namespace lockstep::rehearsal
