// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/code_snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <vector>

#include "base/text/encoding.h"
#include "base/user_dirs.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 64;
constexpr const char* kLeftOut[] = {".git",        ".hg",    ".svn",   "__pycache__",       ".venv",
                                    "venv",        ".tox",   ".nox",   ".mypy_cache",       ".pytest_cache",
                                    ".ruff_cache", ".cache", ".idea",  ".vscode",           "node_modules",
                                    ".ssh",        ".oci",   ".gnupg", ".ipynb_checkpoints"};

bool isLeftOut(const std::string& name) {
  return std::find(std::begin(kLeftOut), std::end(kLeftOut), name) != std::end(kLeftOut);
}

struct File {
  int fd = -1;
  explicit File(int opened) : fd(opened) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd >= 0) ::close(fd);
  }
};

tl::unexpected<Error> cannotCopy(const fs::path& path, int error) {
  return failure(errnoError(fmt::format("cannot copy '{}'", path.string()), error));
}

class Copying {
 public:
  Copying(fs::path source, fs::path copy, const std::stop_token& stop, const SnapshotLimits& limits)
      : source_(std::move(source)), copy_(std::move(copy)), stop_(stop), limits_(limits) {}

  Result<void> run() { return copyFolder({}, 0); }

 private:
  Result<void> copyFolder(const fs::path& below, int depth) {
    std::error_code error;
    const fs::path to = copy_ / below;
    if (depth > kDeepest) return cannotCopy(source_ / below, ELOOP);
    if (!fs::create_directory(to, error)) return cannotCopy(to, error ? error.value() : EEXIST);
    for (fs::directory_iterator entry(source_ / below, error), end; !error && entry != end;
         entry.increment(error)) {
      if (stop_.stop_requested()) return failure(ErrorCode::Cancelled, "told to stop while copying the code");
      if (auto copied = copyEntry(*entry, below / entry->path().filename(), depth); !copied) return copied;
    }
    if (error) return cannotCopy(source_ / below, error.value());
    if (::chmod(to.c_str(), 0555) != 0) return cannotCopy(to, errno);
    return {};
  }

  Result<void> copyEntry(const fs::directory_entry& entry, const fs::path& below, int depth) {
    std::error_code gone;
    const fs::file_status status = entry.symlink_status(gone);
    if (isLeftOut(below.filename().string()) || gone) return {};
    if (fs::is_symlink(status)) return copyLink(entry.path(), below);
    if (fs::is_directory(status))
      return isForeign(entry.path()) ? Result<void>() : copyFolder(below, depth + 1);
    return fs::is_regular_file(status) ? copyFile(entry.path(), below) : Result<void>();
  }

  // A virtual environment of any name, and what the region keeps: the copies, and the keys beside them.
  [[nodiscard]] bool isForeign(const fs::path& folder) const {
    std::error_code error;
    const fs::path copies = copy_.parent_path();
    return fs::exists(folder / "pyvenv.cfg", error) || fs::equivalent(folder, copies, error) ||
           fs::equivalent(folder, copies.parent_path(), error);
  }

  // A link inside the folder stays one; it may not say where it led on this machine.
  Result<void> copyLink(const fs::path& link, const fs::path& below) {
    std::error_code error;
    const fs::path root = fs::canonical(source_, error);
    const fs::path goal = error ? fs::path() : fs::canonical(link, error);
    if (error) return {};  // it leads nowhere
    const fs::path inside = goal.lexically_relative(root);
    if (inside.empty() || *inside.begin() == "..") return {};
    for (const fs::path& part : inside)
      if (isLeftOut(part.string())) return {};
    const fs::path from = (root / below).parent_path();
    fs::create_symlink(goal.lexically_relative(from), copy_ / below, error);
    return error ? cannotCopy(link, error.value()) : Result<void>();
  }

  Result<void> copyFile(const fs::path& path, const fs::path& below) {
    const File from(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat seen {};
    if (from.fd < 0 || ::fstat(from.fd, &seen) != 0) return cannotCopy(path, errno);
    if (!S_ISREG(seen.st_mode)) return {};  // it has changed since we looked
    const mode_t mode = (seen.st_mode & S_IXUSR) != 0 ? 0555 : 0444;
    const File to(::open((copy_ / below).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (to.fd < 0) return cannotCopy(copy_ / below, errno);
    if (++files_ > limits_.files) return tooMuch(below);
    std::vector<char> buffer(1 << 16);
    while (true) {
      const ssize_t n = ::read(from.fd, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return cannotCopy(path, errno);
      if (n == 0) return {};
      bytes_ += static_cast<std::uintmax_t>(n);
      sizes_[*below.begin()] += static_cast<std::uintmax_t>(n);
      if (bytes_ > limits_.bytes) return tooMuch(below);
      const ssize_t written = ::write(to.fd, buffer.data(), static_cast<std::size_t>(n));
      if (written != n) return cannotCopy(copy_ / below, written < 0 ? errno : ENOSPC);  // short: a full disk
    }
  }

  [[nodiscard]] tl::unexpected<Error> tooMuch(const fs::path& last) const {
    const auto largest = std::max_element(sizes_.begin(), sizes_.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    const fs::path name = bytes_ > limits_.bytes && largest != sizes_.end() ? largest->first : *last.begin();
    return failure(ErrorCode::InvalidArgument,
                   fmt::format("the folder '{}' is too large to stand for /code", source_.string()),
                   fmt::format("it has more than {} MiB or {} files; '{}' is most of it", limits_.bytes >> 20,
                               limits_.files, name.string()),
                   "keep data, results and checkpoints elsewhere, or name the folder with the code alone: "
                   "`lockstep run --source-folder DIR`");
  }

  fs::path source_, copy_;
  std::stop_token stop_;
  SnapshotLimits limits_;
  std::uintmax_t bytes_ = 0;
  int files_ = 0;
  std::map<fs::path, std::uintmax_t> sizes_;  // of the entries of the folder itself
};

}  // namespace

Result<std::string> takeSnapshot(const fs::path& folder, const fs::path& target, const std::stop_token& stop,
                                 const SnapshotLimits& limits) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return failure(ErrorCode::NotFound, fmt::format("the folder '{}' does not exist", folder.string()),
                   "it stands for /code in a rehearsal");
  }
  if (const int failed = makePrivateFolder(target); failed != 0)
    return failure(errnoError(fmt::format("cannot make the folder '{}'", target.string()), failed));
  const std::string name = toHex(randomBytes(16));
  if (auto copied = Copying(folder, target / name, stop, limits).run(); !copied) {
    removeSnapshot(target, name);
    return failure(copied.error());
  }
  return name;
}

void removeSnapshot(const fs::path& target, const std::string& name) {
  std::error_code ignored;  // what stays behind costs only disk
  const fs::path copy = target / name;
  if (name.empty() || !fs::is_directory(fs::symlink_status(copy, ignored))) return;
  ::chmod(copy.c_str(), 0700);
  for (fs::recursive_directory_iterator entry(copy, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::error_code gone;
    if (fs::is_directory(entry->symlink_status(gone))) ::chmod(entry->path().c_str(), 0700);
  }
  fs::remove_all(copy, ignored);
}

}  // namespace lockstep
