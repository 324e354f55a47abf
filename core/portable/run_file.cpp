// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/run_file.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/text/encoding.h"
#include "portable/run_file_format.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kEnding = ".lockstep", kScheme = "file://";
constexpr std::size_t kHeadBytes =
    100;  // of every SQLite database (https://www.sqlite.org/fileformat2.html 1.3)
constexpr std::string_view kMagic("SQLite format 3\0", 16);

using Head = std::array<unsigned char, kHeadBytes>;

std::uint32_t bigEndian(const Head& head, std::size_t at) {
  return std::uint32_t{head[at]} << 24 | std::uint32_t{head[at + 1]} << 16 |
         std::uint32_t{head[at + 2]} << 8 | std::uint32_t{head[at + 3]};
}

struct Beginning {
  Head head{};
  std::size_t bytes = 0;   // that were there
  std::uint64_t size = 0;  // of the file
};

Result<Beginning> readBeginning(const fs::path& path) {
  const std::string what = fmt::format("cannot read '{}'", path.string());
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is not waited for
  if (fd < 0) return failure(errnoError(what, errno));
  struct stat info {};
  Beginning found;
  const bool isFile = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  const ssize_t n = isFile ? ::pread(fd, found.head.data(), found.head.size(), 0) : 0;
  const int reason = errno;
  ::close(fd);
  if (!isFile) return failure(ErrorCode::InvalidArgument, what, "it is no regular file");
  if (n < 0) return failure(errnoError(what, reason));
  found.bytes = static_cast<std::size_t>(n);
  found.size = static_cast<std::uint64_t>(info.st_size);
  return found;
}

bool isOfSqlite(const Beginning& file) {
  return file.bytes >= kMagic.size() && std::memcmp(file.head.data(), kMagic.data(), kMagic.size()) == 0;
}

bool isOurs(const Beginning& file) {
  return isOfSqlite(file) && file.bytes == kHeadBytes && bigEndian(file.head, 68) == run_file::kApplicationId;
}

std::string openingOf(const fs::path& path) {
  return fmt::format("cannot open the run file '{}'", path.string());
}

// What the first bytes tell, before a library looks at any others.
Result<void> expectRunFile(const fs::path& path, const Beginning& file) {
  const auto refuse = [&path](ErrorCode code, std::string cause, std::string remedy) {
    return failure(code, openingOf(path), std::move(cause), std::move(remedy));
  };
  const char* again = "copy or save the file again";
  if (file.size == 0) return refuse(ErrorCode::DataLoss, "it is empty", again);
  if (!isOfSqlite(file))
    return refuse(ErrorCode::InvalidArgument, "it is no run file",
                  "name a file that lockstep save has written");
  if (file.bytes < kHeadBytes) return refuse(ErrorCode::DataLoss, "it is cut short", again);
  if (!isOurs(file))
    return refuse(ErrorCode::InvalidArgument, "it is a database of another program",
                  "name a file that lockstep save has written");
  if (const std::uint32_t version = bigEndian(file.head, 60); version != run_file::kVersion)
    return version > run_file::kVersion
               ? refuse(ErrorCode::FailedPrecondition,
                        fmt::format("it was written by a newer Lockstep (format {}, this one knows {})",
                                    version, run_file::kVersion),
                        "update Lockstep")
               : refuse(ErrorCode::DataLoss, fmt::format("there is no format {}", version), again);
  const std::uint32_t stored = std::uint32_t{file.head[16]} << 8 | file.head[17];
  const std::uint64_t pageBytes = stored == 1 ? 65'536 : stored, bytes = pageBytes * bigEndian(file.head, 28);
  if (file.size < bytes)
    return refuse(ErrorCode::DataLoss,
                  fmt::format("it is cut short: {} of {} bytes are there", file.size, bytes), again);
  if (file.head[18] != 1 || file.head[19] != 1)  // a journal of its own, which would have to be read as well
    return refuse(ErrorCode::DataLoss, "it was altered since it was saved", again);
  return {};
}

// Before anything of the file is read: see https://www.sqlite.org/security.html.
void distrust(SQLite::Database& db) {
  sqlite3* handle = db.getHandle();
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(run_file::kMaxObjectBytes + 4096));
  sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 4096);
  sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 16);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  db.exec("PRAGMA query_only=ON");
  db.exec("PRAGMA cell_size_check=ON");
  db.exec("PRAGMA mmap_size=0");
}

bool hasOurSchema(SQLite::Database& db) {
  SQLite::Statement rows(db, "SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT 3");
  int known = 0;
  for (; rows.executeStep(); ++known) {
    const bool isTable = known == 0;
    if (rows.getColumn(0).getString() != (isTable ? "table" : "index") ||
        rows.getColumn(1).getString() != (isTable ? "object" : "object_name") ||
        rows.getColumn(2).getString() != "object" ||
        rows.getColumn(3).getString() != (isTable ? run_file::kTable : run_file::kIndex))
      return false;
  }
  return known == 2;
}

}  // namespace

bool namesRunFile(const std::string& reference) {
  if (reference.find("://") != std::string::npos && !reference.starts_with(kScheme)) return false;
  const fs::path path = runFilePath(reference);
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (fs::is_directory(status)) return false;
  if (reference.ends_with(kEnding)) return true;
  if (!fs::is_regular_file(status)) return false;
  const auto file = readBeginning(path);
  return file && isOurs(*file);
}

fs::path runFilePath(const std::string& reference) {
  const fs::path path = reference.starts_with(kScheme) ? reference.substr(kScheme.size()) : reference;
  std::error_code ec;
  const fs::path absolute = fs::absolute(path, ec);
  return (ec ? path : absolute).lexically_normal();
}

struct RunFile::Parts {
  explicit Parts(SQLite::Database opened)
      : db(std::move(opened)),
        find(db, "SELECT id FROM object WHERE name = ?1 LIMIT 1"),
        get(db, "SELECT size, bytes FROM object WHERE id = ?1"),
        list(db, "SELECT name, size FROM object WHERE name >= ?1 ORDER BY name") {}
  SQLite::Database db;
  SQLite::Statement find, get, list;
};

RunFile::RunFile(fs::path path, std::unique_ptr<Parts> parts)
    : path_(std::move(path)), parts_(std::move(parts)) {}
RunFile::~RunFile() = default;

Error RunFile::damaged(const std::string& cause) const {
  return {ErrorCode::DataLoss,
          fmt::format("cannot read the run file '{}'", path_.string()),
          "it is damaged: " + cause,
          "copy or save the file again",
          {},
          {}};
}

Result<std::shared_ptr<RunFile>> RunFile::open(const fs::path& path) {
  const auto beginning = readBeginning(path);
  if (!beginning) return failure(beginning.error());
  if (auto is = expectRunFile(path, *beginning); !is) return failure(std::move(is.error()));
  try {
    // Immutable: whatever lies beside the file (a journal, a log) is none of it.
    const std::string uri = "file:" + percentEncode(fs::absolute(path).string(), true) + "?immutable=1";
    SQLite::Database db(uri, SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    distrust(db);
    if (!hasOurSchema(db))
      return failure(ErrorCode::DataLoss, openingOf(path), "it holds tables that no run file has",
                     "copy or save the file again");
    return std::shared_ptr<RunFile>(new RunFile(path, std::make_unique<Parts>(std::move(db))));
  } catch (const SQLite::Exception& error) {
    return failure(ErrorCode::DataLoss, openingOf(path), fmt::format("it is damaged: {}", error.what()),
                   "copy or save the file again");
  }
}

Result<std::string> RunFile::get(const std::string& name, const std::stop_token& stop) const {
  const std::lock_guard lock(mutex_);
  const std::string what = fmt::format("cannot read '{}' in '{}'", name, path_.string());
  if (stop.stop_requested()) return failure(ErrorCode::Cancelled, what, "cancelled");
  try {
    SQLite::Statement& find = parts_->find;
    SQLite::Statement& get = parts_->get;
    find.reset();
    get.reset();
    find.bind(1, name);
    if (!find.executeStep()) return failure(ErrorCode::NotFound, what, "there is no such object");
    get.bind(1, find.getColumn(0).getInt64());
    if (!get.executeStep()) return failure(damaged(fmt::format("'{}' has no bytes", name)));
    const SQLite::Column bytes = get.getColumn(1);
    if (bytes.isNull() || bytes.getBytes() != get.getColumn(0).getInt64())
      return failure(damaged(fmt::format("'{}' has not the size that it should have", name)));
    std::string object(static_cast<const char*>(bytes.getBlob()), static_cast<std::size_t>(bytes.getBytes()));
    find.reset();
    get.reset();
    return object;
  } catch (const SQLite::Exception& error) {
    return failure(damaged(error.what()));
  }
}

Result<std::vector<ObjectInfo>> RunFile::list(const std::string& prefix, const std::string& startAfter,
                                              const std::stop_token& stop) const {
  const std::lock_guard lock(mutex_);
  try {
    SQLite::Statement& rows = parts_->list;
    rows.reset();
    rows.bind(1, std::max(prefix, startAfter));
    std::vector<ObjectInfo> found;
    std::optional<std::string>
        last;  // a damaged index leads round in circles: names that do not go up end it
    while (rows.executeStep()) {
      if (stop.stop_requested())
        return failure(ErrorCode::Cancelled, fmt::format("cannot list '{}'", path_.string()), "cancelled");
      std::string name = rows.getColumn(0).getString();
      const std::int64_t size = rows.getColumn(1).getInt64();
      if (name.size() > run_file::kMaxNameBytes || size < 0 ||
          size > static_cast<std::int64_t>(run_file::kMaxObjectBytes) || (last && name <= *last))
        return failure(damaged("the list of its objects makes no sense"));
      if (!name.starts_with(prefix)) break;
      last = name;
      if (name > startAfter) found.push_back({std::move(name), static_cast<std::uint64_t>(size), "1"});
    }
    rows.reset();
    return found;
  } catch (const SQLite::Exception& error) {
    return failure(damaged(error.what()));
  }
}

namespace {

class RunFileStore final : public ObjectStore {
 public:
  RunFileStore(std::shared_ptr<const RunFile> file, std::string inside, std::string folder)
      : file_(std::move(file)), inside_(std::move(inside)), folder_(std::move(folder)) {}

  Result<void> put(const std::string& name, std::string_view, const std::stop_token& stop) override {
    return refuse("write", name, stop);
  }
  Result<void> putNew(const std::string& name, std::string_view, const std::stop_token& stop) override {
    return refuse("write", name, stop);
  }
  Result<void> remove(const std::string& name, const std::stop_token& stop) override {
    return refuse("remove", name, stop);
  }
  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    if (!name.starts_with(folder_))
      return failure(ErrorCode::NotFound, fmt::format("cannot read '{}' in '{}'", name, describe()),
                     "there is no such object");
    return file_->get(inside_ + name.substr(folder_.size()), stop);
  }
  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                       const std::stop_token& stop) override {
    if (!prefix.starts_with(folder_) && !folder_.starts_with(prefix)) return std::vector<ObjectInfo>();
    auto found =
        file_->list(insideOf(prefix), startAfter <= folder_ ? std::string() : insideOf(startAfter), stop);
    if (!found) return found;
    std::vector<ObjectInfo> objects;
    for (ObjectInfo& one : *found) {
      one.name = folder_ + one.name.substr(inside_.size());
      if (one.name > startAfter) objects.push_back(std::move(one));
    }
    return objects;
  }
  [[nodiscard]] std::string describe() const override { return "file://" + file_->path().string(); }

 private:
  // A name that ends within the folder stands for the folder; one beyond it comes after all that is in it.
  [[nodiscard]] std::string insideOf(const std::string& name) const {
    if (name.starts_with(folder_)) return inside_ + name.substr(folder_.size());
    return folder_.starts_with(name) ? inside_ : inside_ + "\xFF";
  }
  Result<void> refuse(const char* verb, const std::string& name, const std::stop_token& stop) const {
    if (stop.stop_requested())
      return failure(ErrorCode::Cancelled, fmt::format("cannot {} '{}'", verb, name));
    return failure(ErrorCode::FailedPrecondition,
                   fmt::format("cannot {} '{}' in '{}'", verb, name, describe()), "a run file is only read");
  }

  std::shared_ptr<const RunFile> file_;
  std::string inside_, folder_;
};

}  // namespace

std::shared_ptr<ObjectStore> storeIn(std::shared_ptr<const RunFile> file, std::string inside,
                                     std::string folder) {
  return std::make_shared<RunFileStore>(std::move(file), std::move(inside), std::move(folder));
}

}  // namespace lockstep
