// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "base/text/encoding.h"
#include "base/user_dirs.h"
#include "runs/run_database.h"
#include "runs/run_rows.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr int kCandidatesShown = 8;

void forgetJobRequest(SQLite::Database& db, const RunId& id) {
  SQLite::Statement forget(db, "DELETE FROM launch_request WHERE run_id = ?");
  forget.bind(1, id.value);
  forget.exec();
}

/// The ids of some of the runs that `rest` chooses, and how many more there are.
std::string listOf(SQLite::Database& db, const std::string& rest, const std::string& value) {
  SQLite::Statement query(db, "SELECT id FROM run " + rest);
  if (query.getBindParameterCount() > 0) query.bind(1, value);
  std::string text;
  int count = 0;
  for (; query.executeStep(); ++count)
    if (count < kCandidatesShown) text += (count ? ", " : "") + query.getColumn(0).getString();
  if (count > kCandidatesShown) text += fmt::format(" and {} more", count - kCandidatesShown);
  return text;
}

// The characters of LIKE and GLOB are no part of an id, but a user may type them.
constexpr const char* kWithPrefix = "WHERE substr(id, 1, length(?1)) = ?1 ORDER BY run.created DESC";
constexpr const char* kNewestFirst = "ORDER BY run.created DESC, run.rowid DESC";

void requireRun(SQLite::Database& db, const RunId& id, std::optional<Error>& missing) {
  SQLite::Statement query(db, "SELECT 1 FROM run WHERE id = ?");
  query.bind(1, id.value);
  if (!query.executeStep())
    missing = failure(ErrorCode::NotFound, fmt::format("no run '{}'", id.value)).value();
}

RunMarks readMarks(SQLite::Database& db, const RunId& id) {
  RunMarks marks;
  SQLite::Statement row(db, "SELECT note, run_group, pinned, archived FROM mark WHERE run_id = ?");
  row.bind(1, id.value);
  if (row.executeStep())
    marks = {{},
             row.getColumn(0).getString(),
             row.getColumn(1).getString(),
             row.getColumn(2).getInt() != 0,
             row.getColumn(3).getInt() != 0};
  SQLite::Statement tags(db, "SELECT tag FROM tag WHERE run_id = ? ORDER BY tag");
  tags.bind(1, id.value);
  while (tags.executeStep()) marks.tags.push_back(tags.getColumn(0).getString());
  return marks;
}

void writeMarks(SQLite::Database& db, const RunId& id, const RunMarks& marks) {
  SQLite::Statement put(
      db, "INSERT OR REPLACE INTO mark(run_id, note, run_group, pinned, archived) VALUES(?,?,?,?,?)");
  put.bind(1, id.value);
  put.bind(2, marks.note);
  put.bind(3, marks.group);
  put.bind(4, marks.isPinned ? 1 : 0);
  put.bind(5, marks.isArchived ? 1 : 0);
  put.exec();
  SQLite::Statement clear(db, "DELETE FROM tag WHERE run_id = ?");
  clear.bind(1, id.value);
  clear.exec();
  for (const std::string& tag : marks.tags) {
    SQLite::Statement add(db, "INSERT OR IGNORE INTO tag(run_id, tag) VALUES(?,?)");
    add.bind(1, id.value);
    add.bind(2, tag);
    add.exec();
  }
}

Result<std::unique_ptr<RunStore::LaunchMark>> heldMark(const fs::path& file, const std::string& what) {
  if (const int error = makePrivateFolder(file.parent_path()); error != 0)
    return failure(errnoError(what, error));
  const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return failure(errnoError(what, errno));
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return std::make_unique<RunStore::LaunchMark>(file, lock);
  const Error status = errnoError(what, errno);
  ::close(lock);
  return failure(status);
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
    auto stored = runsWhere(db, "WHERE id = ?1", run.id.value);
    if (!stored) return failure(std::move(stored.error()));
    const TrainingRun whole = stored->empty() ? run : mergedRun(stored->front(), run);
    writeRun(db, whole);
    if (!whole.jobId.empty() || whole.finished) forgetJobRequest(db, run.id);
    transaction.commit();
    return {};
  });
}

Result<std::vector<TrainingRun>> RunStore::all() {
  return impl_->guarded("read", [](SQLite::Database& db) { return runsWhere(db, kNewestFirst, {}); });
}

Result<std::vector<RunSummary>> RunStore::summaries() {
  return impl_->guarded(
      "read", [](SQLite::Database& db) -> Result<std::vector<RunSummary>> { return readSummaries(db); });
}

Result<bool> RunStore::has(const RunId& id) {
  return impl_->guarded("read", [&](SQLite::Database& db) -> Result<bool> {
    std::optional<Error> missing;
    requireRun(db, id, missing);
    return !missing;
  });
}

Result<TrainingRun> RunStore::find(const std::string& reference) {
  const std::string what = fmt::format("no run '{}'", reference);
  return impl_->guarded("read", [&](SQLite::Database& db) -> Result<TrainingRun> {
    auto newest = runsWhere(db, std::string(kNewestFirst) + " LIMIT 1", {});
    if (!newest) return failure(std::move(newest.error()));
    if (newest->empty()) {
      return failure(ErrorCode::NotFound, what, "no run has been launched from this machine yet",
                     "launch one with: lockstep run FILE");
    }
    if (reference == "last") return std::move(newest->front());
    for (const char* where : {"WHERE id = ?1", "WHERE job_id = ?1 AND job_id != '' ORDER BY run.created DESC",
                              "WHERE id = (SELECT run_id FROM job_run WHERE job_run.id = ?1)"}) {
      auto exact = runsWhere(db, where, reference);
      if (!exact) return failure(std::move(exact.error()));
      if (!exact->empty()) return exact->front();
    }
    auto similar = reference.empty() ? Result<std::vector<TrainingRun>>()
                                     : runsWhere(db, std::string(kWithPrefix) + " LIMIT 2", reference);
    if (!similar) return failure(std::move(similar.error()));
    if (similar->size() == 1) return similar->front();
    if (similar->empty()) {
      return failure(ErrorCode::NotFound, what, "known runs, newest first: " + listOf(db, kNewestFirst, {}),
                     "give a run id, the beginning of one, a job OCID, or 'last'");
    }
    return failure(ErrorCode::InvalidArgument,
                   fmt::format("'{}' is the beginning of several runs", reference),
                   listOf(db, kWithPrefix, reference), "give more characters of the id");
  });
}

Result<RunMarks> RunStore::changeMarks(const RunId& id, const std::function<void(RunMarks&)>& change) {
  return impl_->guarded("write", [&](SQLite::Database& db) -> Result<RunMarks> {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    std::optional<Error> missing;
    requireRun(db, id, missing);
    if (missing) return failure(*std::move(missing));
    RunMarks marks = readMarks(db, id);
    change(marks);
    std::sort(marks.tags.begin(), marks.tags.end());
    marks.tags.erase(std::unique(marks.tags.begin(), marks.tags.end()), marks.tags.end());
    writeMarks(db, id, marks);
    transaction.commit();
    return marks;
  });
}

Result<RunMarks> RunStore::marks(const RunId& id) {
  return impl_->guarded("read", [&](SQLite::Database& db) -> Result<RunMarks> { return readMarks(db, id); });
}

Result<void> RunStore::keepResults(const RunId& id, const std::vector<RunResult>& results) {
  return impl_->guarded("write", [&](SQLite::Database& db) -> Result<void> {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    std::optional<Error> missing;
    requireRun(db, id, missing);
    if (missing) return failure(*std::move(missing));
    writeResults(db, id, results);
    transaction.commit();
    return {};
  });
}

Result<void> RunStore::keepFindings(const RunId& id, const RunFindings& findings) {
  return impl_->guarded("write", [&](SQLite::Database& db) -> Result<void> {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    std::optional<Error> missing;
    requireRun(db, id, missing);
    if (missing) return failure(*std::move(missing));
    writeFindings(db, id, findings);
    transaction.commit();
    return {};
  });
}

Result<std::vector<RunResult>> RunStore::results(const RunId& id) {
  return impl_->guarded(
      "read", [&](SQLite::Database& db) -> Result<std::vector<RunResult>> { return readResults(db, id); });
}

Result<void> RunStore::keepPrice(const RunId& id, std::optional<double> perHour,
                                 const std::string& currency) {
  return impl_->guarded("write", [&](SQLite::Database& db) -> Result<void> {
    SQLite::Statement put(db,
                          "UPDATE summary SET is_priced = 1, per_hour = ?, currency = ? WHERE run_id = ?");
    if (perHour)
      put.bind(1, *perHour);
    else
      put.bind(1);
    put.bind(2, perHour ? currency : std::string());
    put.bind(3, id.value);
    put.exec();
    return {};
  });
}

Result<std::string> RunStore::difference(const RunId& id) {
  return impl_->guarded("read", [&](SQLite::Database& db) -> Result<std::string> {
    SQLite::Statement query(db, "SELECT difference FROM code_difference WHERE run_id = ?");
    query.bind(1, id.value);
    return query.executeStep() ? query.getColumn(0).getString() : std::string();
  });
}

Result<void> RunStore::keepSweep(const std::string& name, const std::string& definition, TimePoint created) {
  return impl_->guarded("write", [&](SQLite::Database& db) -> Result<void> {
    SQLite::Statement keep(db, "INSERT OR IGNORE INTO sweep(name, created, definition) VALUES(?,?,?)");
    keep.bind(1, name);
    keep.bind(2, static_cast<std::int64_t>(created.time_since_epoch().count()));
    keep.bind(3, definition);
    if (keep.exec() == 0)
      return failure(ErrorCode::AlreadyExists, fmt::format("there is a sweep '{}' already", name));
    return {};
  });
}

Result<std::optional<std::string>> RunStore::keptSweep(const std::string& name) {
  return impl_->guarded("read", [&](SQLite::Database& db) -> Result<std::optional<std::string>> {
    SQLite::Statement query(db, "SELECT definition FROM sweep WHERE name = ?");
    query.bind(1, name);
    if (!query.executeStep()) return std::nullopt;
    return query.getColumn(0).getString();
  });
}

Result<std::vector<TrainingRun>> RunStore::runsOfSweep(const std::string& name) {
  return impl_->guarded("read", [&](SQLite::Database& db) {
    return runsWhere(db,
                     "JOIN summary ON summary.run_id = run.id WHERE sweep = ?1 AND sweep != '' "
                     "ORDER BY sweep_point, run.created",
                     name);
  });
}

Result<std::unique_ptr<RunStore::LaunchMark>> RunStore::markSweeping(const std::string& name) {
  // The name is whatever people typed, and no name of a file.
  const fs::path file = impl_->path.parent_path() / "launching" / ("sweep-" + toHex(name));
  auto mark = heldMark(file, fmt::format("cannot work on the sweep '{}'", name));
  if (!mark && mark.error().code != ErrorCode::Io) return mark;
  if (!mark)
    return failure(ErrorCode::FailedPrecondition, mark.error().what, "another process works on it",
                   "wait for it, or end it; what it has launched goes on");
  return mark;
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
  return heldMark(file, fmt::format("cannot mark the launch of run '{}' in '{}'", id.value, file.string()));
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
