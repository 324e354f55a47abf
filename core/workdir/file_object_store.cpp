// SPDX-License-Identifier: GPL-3.0-or-later
#include "workdir/file_object_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/atomic_file.h"
#include "base/text/encoding.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPartialFolder = ".lockstep-partial";

bool isPlainPart(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && part.find('\0') == std::string_view::npos;
}

bool isUsableName(std::string_view name) {
  if (name.empty()) return false;
  if (name == kPartialFolder || name.starts_with(std::string(kPartialFolder) + "/")) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (!isPlainPart(name.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

// Where a file system has no hard links, the kernel may still know how to rename without replacing.
std::error_code moveUnlessThere(const fs::path& from, const fs::path& to) {
  if (::link(from.c_str(), to.c_str()) == 0) {
    std::error_code ignored;
    fs::remove(from, ignored);
    return {};
  }
  const bool noLinks = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK;
  if (noLinks && ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  return {errno, std::generic_category()};
}

// A put makes a new file, whose number may be one that was free again: its time tells the two apart.
std::string versionOf(const fs::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return fmt::format("{}-{}.{}", found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

class FileObjectStore final : public ObjectStore {
 public:
  explicit FileObjectStore(fs::path root) : root_(std::move(root)) {}

  Result<void> put(const std::string& name, std::string_view bytes, const std::stop_token& stop) override {
    const auto partial = writePartial(name, bytes, stop);
    if (!partial) return failure(partial.error());
    std::error_code ec;
    fs::rename(*partial, root_ / name, ec);
    if (!ec) {
      syncFolder((root_ / name).parent_path());  // acknowledged, it is there after a power cut, too
      return {};
    }
    std::error_code ignored;
    fs::remove(*partial, ignored);
    return failure(errorOf("write", name, ec));
  }

  Result<void> putNew(const std::string& name, std::string_view bytes, const std::stop_token& stop) override {
    const auto partial = writePartial(name, bytes, stop);
    if (!partial) return failure(partial.error());
    const std::error_code ec = moveUnlessThere(*partial, root_ / name);
    if (!ec) {
      syncFolder((root_ / name).parent_path());  // acknowledged, it is there after a power cut, too
      return {};
    }
    std::error_code ignored;
    fs::remove(*partial, ignored);
    Error error = errorOf("write", name, ec);
    if (ec.value() == EEXIST) error = {ErrorCode::AlreadyExists, error.what, "there is one", {}, {}, {}};
    return failure(error);
  }

  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    if (auto ready = begin("read", name, stop); !ready) return failure(ready.error());
    std::error_code ec;
    const fs::file_status status = fs::status(root_ / name, ec);
    if (!fs::is_regular_file(status)) return failure(notFound("read", name));
    return readFile(root_ / name);
  }

  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                       const std::stop_token& stop) override {
    const std::size_t slash = prefix.rfind('/');
    const std::string folder = slash == std::string::npos ? std::string() : prefix.substr(0, slash);
    std::vector<ObjectInfo> found;
    if (!folder.empty() && !isUsableName(folder)) return found;  // no object can have such a name
    std::error_code ec;
    fs::recursive_directory_iterator it(root_ / folder, ec);
    for (; !ec && it != fs::recursive_directory_iterator(); it.increment(ec)) {
      if (stop.stop_requested()) return failure(cancelled("list", prefix));
      visit(it, prefix, startAfter, found);
    }
    const bool vanished = ec == std::errc::no_such_file_or_directory || ec == std::errc::not_a_directory;
    if (ec && !vanished) return failure(errorOf("list", prefix, ec));
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return found;
  }

  Result<void> remove(const std::string& name, const std::stop_token& stop) override {
    if (auto ready = begin("remove", name, stop); !ready) return ready;
    std::error_code ec;
    if (!fs::is_regular_file(root_ / name, ec)) return failure(notFound("remove", name));
    if (fs::remove(root_ / name, ec)) return {};
    return failure(ec ? errorOf("remove", name, ec) : notFound("remove", name));
  }

  [[nodiscard]] std::string describe() const override { return "file://" + root_.string(); }

 private:
  // Not beside the target: a listing must never meet a half-written object.
  Result<fs::path> writePartial(const std::string& name, std::string_view bytes,
                                const std::stop_token& stop) const {
    if (auto ready = begin("write", name, stop); !ready) return failure(ready.error());
    if (auto made = makeFolders(root_ / name, name); !made) return failure(made.error());
    fs::path partial = root_ / kPartialFolder / toHex(randomBytes(12));
    if (auto written = writeNewFile(partial, bytes); !written) return failure(written.error());
    return partial;
  }

  [[nodiscard]] std::string what(const char* verb, const std::string& name) const {
    return fmt::format("cannot {} '{}' in the work dir '{}'", verb, name, describe());
  }

  [[nodiscard]] Error cancelled(const char* verb, const std::string& name) const {
    return {ErrorCode::Cancelled, what(verb, name), "cancelled", {}, {}, {}};
  }

  [[nodiscard]] Error notFound(const char* verb, const std::string& name) const {
    return {ErrorCode::NotFound, what(verb, name), "there is no such object", {}, {}, {}};
  }

  [[nodiscard]] Error errorOf(const char* verb, const std::string& name, std::error_code ec) const {
    Error error = errnoError(what(verb, name), ec.value());
    if (ec.value() == ENOTDIR || ec.value() == EISDIR) {
      error.code = ErrorCode::FailedPrecondition;
      error.cause = "on a disk, one name cannot be an object and a folder of objects";
    }
    return error;
  }

  Result<void> begin(const char* verb, const std::string& name, const std::stop_token& stop) const {
    if (stop.stop_requested()) return failure(cancelled(verb, name));
    if (isUsableName(name)) return {};
    return failure(ErrorCode::InvalidArgument, what(verb, name), "a disk cannot hold an object of that name",
                   "use names without empty parts, '.' and '..' between the slashes");
  }

  Result<void> makeFolders(const fs::path& target, const std::string& name) const {
    std::error_code ec;
    std::vector<fs::path> fresh;
    for (fs::path folder = target.parent_path(); folder.has_relative_path() && !fs::exists(folder, ec);
         folder = folder.parent_path())
      fresh.push_back(folder);
    fs::create_directories(root_ / kPartialFolder, ec);
    if (!ec) fs::create_directories(target.parent_path(), ec);
    for (const fs::path& folder : fresh) syncFolder(folder.parent_path());
    if (ec) return failure(errorOf("write", name, ec));
    if (fs::is_directory(target, ec)) {
      return failure(errorOf("write", name, std::make_error_code(std::errc::is_a_directory)));
    }
    return {};
  }

  void visit(fs::recursive_directory_iterator& it, const std::string& prefix, const std::string& startAfter,
             std::vector<ObjectInfo>& found) const {
    std::error_code ec;
    const std::string name = it->path().lexically_relative(root_).generic_string();
    if (name == kPartialFolder || (it->is_directory(ec) && !mayHold(name + "/", prefix))) {
      it.disable_recursion_pending();
      return;
    }
    if (!it->is_regular_file(ec) || !name.starts_with(prefix) || name <= startAfter) return;
    const std::uintmax_t size = it->file_size(ec);
    if (!ec) found.push_back({name, size, versionOf(it->path())});  // else: removed while we looked
  }

  static bool mayHold(const std::string& folder, const std::string& prefix) {
    const std::size_t n = std::min(folder.size(), prefix.size());
    return std::string_view(folder).substr(0, n) == std::string_view(prefix).substr(0, n);
  }

  fs::path root_;
};

}  // namespace

std::shared_ptr<ObjectStore> openFolder(const fs::path& path) {
  // Without a trailing slash, so that names come out relative and messages read well.
  fs::path root = path.lexically_normal();
  if (!root.has_filename() && root.has_parent_path() && root != root.root_path()) root = root.parent_path();
  return std::make_shared<FileObjectStore>(std::move(root));
}

}  // namespace lockstep
