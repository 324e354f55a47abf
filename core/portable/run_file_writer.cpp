// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/run_file_writer.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>

#include "base/atomic_file.h"
#include "portable/run_file_format.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

std::string writingOf(const fs::path& path) {
  return fmt::format("cannot write '{}'", path.string());
}

Error errorOf(const fs::path& path, const SQLite::Exception& error) {
  const bool isFull = error.getErrorCode() == SQLITE_FULL;
  return {isFull ? ErrorCode::ResourceExhausted : ErrorCode::Io,
          writingOf(path),
          error.what(),
          isFull ? "free some space on that disk" : "check the folder",
          {},
          {}};
}

}  // namespace

struct RunFileWriter::Parts {
  Parts(fs::path target_, fs::path temporary_)
      : target(std::move(target_)), temporary(std::move(temporary_)) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    insert.reset();
    db.reset();
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }

  fs::path target, temporary;  // temporary is empty once it has its name
  std::optional<SQLite::Database> db;
  std::optional<SQLite::Statement> insert;
  std::uint64_t bytes = 0, objects = 0;
};

RunFileWriter::RunFileWriter(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RunFileWriter::RunFileWriter(RunFileWriter&&) noexcept = default;
RunFileWriter& RunFileWriter::operator=(RunFileWriter&&) noexcept = default;
RunFileWriter::~RunFileWriter() = default;

Result<RunFileWriter> RunFileWriter::create(const fs::path& path) {
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return failure(ErrorCode::InvalidArgument, writingOf(path), "it is no regular file",
                   "choose another name");
  const fs::path target =
      fs::is_symlink(fs::symlink_status(path, ec)) ? fs::weakly_canonical(path, ec) : path;
  std::string temporary = (folderOf(target) / ("." + target.filename().string() + ".XXXXXX")).string();
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return failure(errnoError(writingOf(path), errno));
  ::close(fd);
  auto parts = std::make_unique<Parts>(target, temporary);
  try {
    SQLite::Database& db = parts->db.emplace(temporary, SQLite::OPEN_READWRITE);
    // A file that does not come to its end is removed: there is nothing to take back, and one sync at the end.
    db.exec("PRAGMA page_size=8192");
    db.exec("PRAGMA journal_mode=OFF");
    db.exec("PRAGMA synchronous=OFF");
    db.exec("PRAGMA locking_mode=EXCLUSIVE");
    db.exec(fmt::format("PRAGMA application_id={}", run_file::kApplicationId));
    db.exec(fmt::format("PRAGMA user_version={}", run_file::kVersion));
    db.exec(run_file::kTable);
    db.exec(run_file::kIndex);
    db.exec("BEGIN");
    parts->insert.emplace(db, "INSERT INTO object (name, size, bytes) VALUES (?1, ?2, ?3)");
  } catch (const SQLite::Exception& error) {
    return failure(errorOf(path, error));
  }
  return RunFileWriter(std::move(parts));
}

Result<void> RunFileWriter::add(const std::string& name, std::string_view bytes) {
  const std::string what = fmt::format("cannot put '{}' into '{}'", name, parts_->target.string());
  if (name.empty() || name.size() > run_file::kMaxNameBytes || bytes.size() > run_file::kMaxObjectBytes)
    return failure(ErrorCode::InvalidArgument, what, "it is larger than an object of a run file can be");
  try {
    SQLite::Statement& insert = *parts_->insert;
    insert.reset();
    insert.bindNoCopy(1, name);
    insert.bind(2, static_cast<std::int64_t>(bytes.size()));
    // Without bytes a pointer to nothing would be a null, and no object.
    insert.bindNoCopy(3, bytes.empty() ? "" : static_cast<const void*>(bytes.data()),
                      static_cast<int>(bytes.size()));
    insert.exec();
    insert.reset();
  } catch (const SQLite::Exception& error) {
    return failure(errorOf(parts_->target, error));
  }
  parts_->bytes += bytes.size();
  ++parts_->objects;
  return {};
}

std::uint64_t RunFileWriter::bytes() const {
  return parts_->bytes;
}

std::uint64_t RunFileWriter::objects() const {
  return parts_->objects;
}

Result<void> RunFileWriter::finish() {
  const std::string what = writingOf(parts_->target);
  try {
    parts_->insert.reset();
    parts_->db->exec("COMMIT");
    parts_->db.reset();
  } catch (const SQLite::Exception& error) {
    return failure(errorOf(parts_->target, error));
  }
  struct stat former {};
  const mode_t mode = ::stat(parts_->target.c_str(), &former) == 0 ? (former.st_mode & 07777) : 0644;
  const int fd = ::open(parts_->temporary.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(errnoError(what, errno));
  const bool isSettled = ::fchmod(fd, mode) == 0 && ::fsync(fd) == 0;
  const int reason = errno;
  ::close(fd);
  if (!isSettled) return failure(errnoError(what, reason));
  if (::rename(parts_->temporary.c_str(), parts_->target.c_str()) != 0)
    return failure(errnoError(what, errno));
  parts_->temporary.clear();
  syncFolder(folderOf(parts_->target));
  return {};
}

}  // namespace lockstep
