// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/log_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/atomic_file.h"

namespace lockstep {
namespace {

std::string cannotRead(const std::filesystem::path& path) {
  return fmt::format("cannot read the log '{}'", path.string());
}

}  // namespace

Result<std::shared_ptr<LogBytes>> LogBytes::open(const std::filesystem::path& path) {
  // Not blocking: a pipe without a writer would be waited for.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return failure(errnoError(cannotRead(path), errno));
  std::shared_ptr<LogBytes> bytes(new LogBytes(fd, path));
  struct stat info {};
  if (::fstat(fd, &info) != 0) return failure(errnoError(cannotRead(path), errno));
  if (!S_ISREG(info.st_mode))
    return failure(ErrorCode::InvalidArgument, cannotRead(path), "it is not a regular file",
                   "write what it gives into a file, and open that");
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return bytes;
}

Result<std::shared_ptr<LogBytes>> LogBytes::openToAppend(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return failure(errnoError(fmt::format("cannot write the log '{}'", path.string()), errno));
  return std::shared_ptr<LogBytes>(new LogBytes(fd, path));
}

Result<std::shared_ptr<LogBytes>> LogBytes::inMemory() {
  const int fd = ::memfd_create("lockstep-lines", MFD_CLOEXEC);
  if (fd < 0) return failure(errnoError("cannot keep lines in memory", errno));
  return std::shared_ptr<LogBytes>(new LogBytes(fd, {}));
}

LogBytes::~LogBytes() {
  ::close(fd_);
}

std::size_t LogBytes::read(std::uint64_t offset, std::span<char> into) const {
  std::size_t had = 0;
  while (had < into.size()) {
    const ssize_t n = ::pread(fd_, into.data() + had, into.size() - had, static_cast<off_t>(offset + had));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    had += static_cast<std::size_t>(n);
  }
  return had;
}

std::string LogBytes::read(std::uint64_t offset, std::uint64_t count) const {
  std::string bytes(count, '\0');
  bytes.resize(read(offset, std::span(bytes.data(), bytes.size())));
  return bytes;
}

std::uint64_t LogBytes::size() const {
  struct stat info {};
  return ::fstat(fd_, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Result<void> LogBytes::append(std::string_view bytes) {
  const std::uint64_t before = size();
  if (::lseek(fd_, static_cast<off_t>(before), SEEK_SET) >= 0 && writeAll(fd_, bytes)) return {};
  auto failed = failure(errnoError(fmt::format("cannot write the log '{}'", path_.string()), errno));
  (void)cutTo(before);
  return failed;
}

Result<void> LogBytes::cutTo(std::uint64_t size) {
  if (::ftruncate(fd_, static_cast<off_t>(size)) == 0) return {};
  return failure(errnoError(fmt::format("cannot cut the log '{}'", path_.string()), errno));
}

void LogBytes::sync() const {
  (void)::fdatasync(fd_);
}

bool LogBytes::isReplaced() const {
  struct stat ours {
  }, theirs{};
  if (::fstat(fd_, &ours) != 0 || ::stat(path_.c_str(), &theirs) != 0) return true;
  return ours.st_ino != theirs.st_ino || ours.st_dev != theirs.st_dev;
}

}  // namespace lockstep
