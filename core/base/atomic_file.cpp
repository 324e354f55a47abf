// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int close() {
    const int rc = ::close(fd_);
    fd_ = -1;
    return rc;
  }

 private:
  int fd_;
};

// With its mode and on the disk, then closed; false leaves the cause in errno.
bool settle(FileDescriptor& fd, mode_t mode) {
  return ::fchmod(fd.get(), mode) == 0 && ::fsync(fd.get()) == 0 && fd.close() == 0;
}

mode_t modeFor(const fs::path& target, std::optional<mode_t> wanted) {
  if (wanted) return *wanted;
  struct stat info {};
  return ::stat(target.c_str(), &info) == 0 ? (info.st_mode & 07777) : 0644;
}

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// Where the last link leads, also when nothing is there yet; nullopt: in circles.
std::optional<fs::path> withoutLinks(fs::path path) {
  constexpr int kMaxLinks = 40;  // as the kernel has it
  std::error_code ec;
  for (int links = 0; links < kMaxLinks; ++links) {
    if (!fs::is_symlink(path, ec)) return path;
    const fs::path to = fs::read_symlink(path, ec);
    if (ec) return path;
    path = folderOf(path) / to;
  }
  return std::nullopt;
}

// Writes beside the target, and renames over it what `write` has put there whole.
Result<void> replaceFile(const fs::path& path, std::optional<mode_t> mode,
                         const std::function<Result<void>(const PutBytes&)>& write) {
  std::error_code ec;
  const std::string what = fmt::format("cannot write '{}'", path.string());
  const auto followed = withoutLinks(path);
  if (!followed) return failure(errnoError(what, ELOOP));
  const fs::path& target = *followed;
  if (fs::exists(target, ec) && !fs::is_regular_file(target, ec))
    return failure(ErrorCode::InvalidArgument, what, "it is not a regular file");

  const fs::path folder = folderOf(target);
  std::string temporary = (folder / ("." + target.filename().string() + ".XXXXXX")).string();
  FileDescriptor fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (fd.get() < 0) return failure(errnoError(what, errno));
  auto done = write([&](std::string_view bytes) -> Result<void> {
    if (writeAll(fd.get(), bytes)) return {};
    return failure(errnoError(what, errno));
  });
  if (done && !(settle(fd, modeFor(target, mode)) && ::rename(temporary.c_str(), target.c_str()) == 0))
    done = failure(errnoError(what, errno));
  if (done)
    syncFolder(folder);
  else
    ::unlink(temporary.c_str());
  return done;
}

}  // namespace

bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd waiting{fd, POLLOUT, 0};
      ::poll(&waiting, 1, 1000);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void syncFolder(const fs::path& folder) {
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) ::fsync(fd.get());
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view bytes, std::optional<mode_t> mode) {
  return replaceFile(path, mode, [bytes](const PutBytes& put) { return put(bytes); });
}

Result<void> writeFileInPieces(const fs::path& path,
                               const std::function<Result<void>(const PutBytes& put)>& write) {
  return replaceFile(path, std::nullopt, write);
}

Result<void> writeNewFile(const fs::path& path, std::string_view bytes) {
  FileDescriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const bool isOpen = fd.get() >= 0;
  if (isOpen && writeAll(fd.get(), bytes) && settle(fd, 0644)) return {};
  const int e = errno;
  if (isOpen) ::unlink(path.c_str());
  return failure(errnoError(fmt::format("cannot write '{}'", path.string()), e));
}

Result<std::string> readFile(const fs::path& path, std::uint64_t maxBytes) {
  const std::string what = fmt::format("cannot read '{}'", path.string());
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) return failure(errnoError(what, errno));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return failure(errnoError(what, errno));
  if (S_ISDIR(info.st_mode)) return failure(errnoError(what, EISDIR));
  std::string bytes;  // in one piece from the start: growing would leave copies of what may be a key
  if (S_ISREG(info.st_mode))
    bytes.reserve(std::min<std::uint64_t>(static_cast<std::uint64_t>(info.st_size), maxBytes) + 1);
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failure(errnoError(what, errno));
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
    if (bytes.size() > maxBytes)
      return failure(ErrorCode::InvalidArgument, what,
                     fmt::format("it is larger than the {} bytes that are accepted here", maxBytes));
  }
}

}  // namespace lockstep
