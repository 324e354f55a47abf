// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "base/user_dirs.h"
#include "runs/run_database.h"

namespace lockstep {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kColumns = "SELECT document, train_yaml, created FROM run ";
constexpr int kCandidatesShown = 8;

Result<TrainingRun> runOfRow(SQLite::Statement& row) {
  const json document = json::parse(row.getColumn(0).getString(), nullptr, false);
  auto run = trainingRunFrom(document);
  if (!run) return run;
  run->trainYaml = row.getColumn(1).getString();
  run->created = TimePoint(std::chrono::nanoseconds(row.getColumn(2).getInt64()));
  return run;
}

Result<std::vector<TrainingRun>> rowsOf(SQLite::Statement& query) {
  std::vector<TrainingRun> runs;
  while (query.executeStep()) {
    auto run = runOfRow(query);
    if (!run) return failure(run.error());
    runs.push_back(*std::move(run));
  }
  return runs;
}

Result<std::vector<TrainingRun>> runsWhere(SQLite::Database& db, const std::string& rest,
                                           const std::string& value) {
  SQLite::Statement query(db, kColumns + rest);
  query.bind(1, value);
  return rowsOf(query);
}

void writeRun(SQLite::Database& db, const TrainingRun& run) {
  SQLite::Statement insert(db,
                           "INSERT INTO run(id, created, job_id, document, train_yaml) VALUES(?,?,?,?,?) "
                           "ON CONFLICT(id) DO UPDATE SET created=excluded.created, job_id=excluded.job_id, "
                           "document=excluded.document, train_yaml=excluded.train_yaml");
  insert.bind(1, run.id.value);
  insert.bind(2, static_cast<std::int64_t>(run.created.time_since_epoch().count()));
  insert.bind(3, run.jobId.value);
  insert.bind(4, toJson(run).dump(-1, ' ', false, json::error_handler_t::replace));
  insert.bind(5, run.trainYaml);
  insert.exec();
  for (const NodeRun& node : run.nodes) {
    if (node.id.empty()) continue;
    SQLite::Statement link(db, "INSERT OR REPLACE INTO job_run(id, run_id) VALUES(?,?)");
    link.bind(1, node.id.value);
    link.bind(2, run.id.value);
    link.exec();
  }
}

void forgetJobRequest(SQLite::Database& db, const RunId& id) {
  SQLite::Statement forget(db, "DELETE FROM launch_request WHERE run_id = ?");
  forget.bind(1, id.value);
  forget.exec();
}

std::string listOf(const std::vector<TrainingRun>& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size() && i < kCandidatesShown; ++i)
    text += (i ? ", " : "") + runs[i].id.value;
  if (runs.size() > kCandidatesShown) text += fmt::format(" and {} more", runs.size() - kCandidatesShown);
  return text;
}

// The characters of LIKE and GLOB are no part of an id, but a user may type them.
Result<std::vector<TrainingRun>> runsWithPrefix(SQLite::Database& db, const std::string& prefix) {
  return runsWhere(db, "WHERE substr(id, 1, length(?1)) = ?1 ORDER BY created DESC", prefix);
}

}  // namespace

struct RunStore::Impl {
  Impl(fs::path p, SQLite::Database d) : path(std::move(p)), db(std::move(d)) {}
  fs::path path;
  SQLite::Database db;
  std::mutex mutex;

  [[nodiscard]] fs::path launchMark(const RunId& id) const {
    return path.parent_path() / "launching" / id.value;
  }

  template <class Action>
  auto guarded(const std::string& doing, Action action) -> decltype(action(db)) {
    const std::lock_guard lock(mutex);
    try {
      return action(db);
    } catch (const SQLite::Exception& error) {
      return failure(
          sqliteError(fmt::format("cannot {} the run history '{}'", doing, path.string()), error, path));
    }
  }
};

RunStore::RunStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() = default;

fs::path RunStore::defaultPath() {
  return userDataDir() / "runs.sqlite";
}

Result<RunStore> RunStore::open(const fs::path& path) {
  const std::string what = fmt::format("cannot open the run history '{}'", path.string());
  if (const int error = makePrivateFolder(path.parent_path()); error != 0)
    return failure(errnoError(what, error));
  // The train.yaml of a run may hold secrets in its environment. SQLite gives its other files the same mode.
  if (const int made = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600); made >= 0)
    ::close(made);
  try {
    auto db = openRunDatabase(path);
    if (!db) return failure(std::move(db.error()));
    for (const char* suffix : {"", "-wal", "-shm"})  // of a store that an earlier release made
      ::chmod((path.string() + suffix).c_str(), 0600);
    return RunStore(std::make_unique<Impl>(path, *std::move(db)));
  } catch (const SQLite::Exception& error) {
    return failure(sqliteError(what, error, path));
  }
}

Result<void> RunStore::save(const TrainingRun& run) {
  if (run.id.empty()) return failure(ErrorCode::InvalidArgument, "cannot store a run without an id");
  return impl_->guarded("write", [&](SQLite::Database& db) -> Result<void> {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    auto stored = runsWhere(db, "WHERE id = ?", run.id.value);
    if (!stored) return failure(std::move(stored.error()));
    const TrainingRun whole = stored->empty() ? run : mergedRun(stored->front(), run);
    writeRun(db, whole);
    if (!whole.jobId.empty() || whole.finished) forgetJobRequest(db, run.id);
    transaction.commit();
    return {};
  });
}

Result<std::vector<TrainingRun>> RunStore::all() {
  return impl_->guarded("read", [](SQLite::Database& db) -> Result<std::vector<TrainingRun>> {
    SQLite::Statement query(db, std::string(kColumns) + "ORDER BY created DESC, rowid DESC");
    return rowsOf(query);
  });
}

Result<TrainingRun> RunStore::find(const std::string& reference) {
  auto everything = all();
  if (!everything) return failure(std::move(everything.error()));
  const std::string what = fmt::format("no run '{}'", reference);
  if (everything->empty()) {
    return failure(ErrorCode::NotFound, what, "no run has been launched from this machine yet",
                   "launch one with: lockstep run FILE");
  }
  if (reference == "last") return everything->front();
  return impl_->guarded("read", [&](SQLite::Database& db) -> Result<TrainingRun> {
    for (const char* where : {"WHERE id = ?", "WHERE job_id = ? AND job_id != '' ORDER BY created DESC",
                              "WHERE id = (SELECT run_id FROM job_run WHERE job_run.id = ?)"}) {
      auto exact = runsWhere(db, where, reference);
      if (!exact) return failure(std::move(exact.error()));
      if (!exact->empty()) return exact->front();
    }
    auto similar = reference.empty() ? Result<std::vector<TrainingRun>>() : runsWithPrefix(db, reference);
    if (!similar) return failure(std::move(similar.error()));
    if (similar->size() == 1) return similar->front();
    if (similar->empty()) {
      return failure(ErrorCode::NotFound, what, "known runs, newest first: " + listOf(*everything),
                     "give a run id, the beginning of one, a job OCID, or 'last'");
    }
    return failure(ErrorCode::InvalidArgument,
                   fmt::format("'{}' is the beginning of several runs", reference), listOf(*similar),
                   "give more characters of the id");
  });
}

Result<void> RunStore::keepJobRequest(const RunId& id, const std::string& body) {
  return impl_->guarded("write", [&](SQLite::Database& db) -> Result<void> {
    SQLite::Statement keep(db, "INSERT OR REPLACE INTO launch_request(run_id, body) VALUES(?,?)");
    keep.bind(1, id.value);
    keep.bind(2, body);
    keep.exec();
    return {};
  });
}

Result<std::optional<std::string>> RunStore::keptJobRequest(const RunId& id) {
  return impl_->guarded("read", [&](SQLite::Database& db) -> Result<std::optional<std::string>> {
    SQLite::Statement query(db, "SELECT body FROM launch_request WHERE run_id = ?");
    query.bind(1, id.value);
    if (!query.executeStep()) return std::nullopt;
    return query.getColumn(0).getString();
  });
}

RunStore::LaunchMark::~LaunchMark() {
  ::unlink(file_.c_str());  // while it is still held: nobody can take a file that is about to go for a launch
  ::close(lock_);
}

Result<std::unique_ptr<RunStore::LaunchMark>> RunStore::markLaunching(const RunId& id) {
  const fs::path file = impl_->launchMark(id);
  const std::string what = fmt::format("cannot mark the launch of run '{}' in '{}'", id.value, file.string());
  if (const int error = makePrivateFolder(file.parent_path()); error != 0)
    return failure(errnoError(what, error));
  const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return failure(errnoError(what, errno));
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return std::make_unique<LaunchMark>(file, lock);
  const Error status = errnoError(what, errno);
  ::close(lock);
  return failure(status);
}

bool RunStore::isBeingLaunched(const RunId& id) const {
  const int file = ::open(impl_->launchMark(id).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0;
  ::close(file);
  return held;
}

Result<void> RunStore::remove(const RunId& id) {
  return impl_->guarded("write", [&](SQLite::Database& db) -> Result<void> {
    SQLite::Statement statement(db, "DELETE FROM run WHERE id = ?");
    statement.bind(1, id.value);
    if (statement.exec() == 0) return failure(ErrorCode::NotFound, fmt::format("no run '{}'", id.value));
    return {};
  });
}

}  // namespace lockstep
