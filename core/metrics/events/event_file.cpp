// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <utility>

namespace lockstep {
namespace {

constexpr std::size_t kPiece = 256 << 10;
// The first record says when the file was begun: with another beginning it is another file. File systems give the number of
// a removed one to the next.
constexpr std::size_t kBeginning = 64;

std::string cannotRead(const std::filesystem::path& path) {
  return fmt::format("cannot read the event file '{}'", path.string());
}

Result<struct stat> regular(const std::filesystem::path& path, int answer, const struct stat& info) {
  if (answer != 0) return failure(errnoError(cannotRead(path), errno));
  if (S_ISREG(info.st_mode)) return info;
  return failure(ErrorCode::InvalidArgument, cannotRead(path), "it is not a regular file");
}

Result<struct stat> regularAt(const std::filesystem::path& path) {
  struct stat info {};
  const int answer = ::stat(path.c_str(), &info);
  return regular(path, answer, info);
}

class OpenedFile {
 public:
  // Not blocking: it may have become a pipe since it was looked at.
  explicit OpenedFile(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  ~OpenedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

ssize_t readAt(int fd, std::uint64_t offset, char* to, std::size_t size) {
  for (;;) {
    const ssize_t n = ::pread(fd, to, size, static_cast<off_t>(offset));
    if (n >= 0 || errno != EINTR) return n;
  }
}

}  // namespace

FileIdentity identityOf(const struct stat& info) {
  return {info.st_dev, info.st_ino};
}

TimePoint changeOf(const struct stat& info) {
  return TimePoint(std::chrono::seconds(info.st_mtim.tv_sec) +
                   std::chrono::nanoseconds(info.st_mtim.tv_nsec));
}

Result<EventFile> EventFile::open(std::filesystem::path path) {
  const auto info = regularAt(path);
  if (!info) return failure(info.error());
  EventFile file(std::move(path));
  file.identity_ = identityOf(*info);
  return file;
}

Result<std::vector<EventScalar>> EventFile::readNew(std::size_t maxBytes) {
  const auto seen = regularAt(path_);
  if (!seen) return failure(seen.error());
  if (isUnchanged(*seen)) {
    if (records_.refused() != nullptr) return refusal(*records_.refused());
    return std::vector<EventScalar>();
  }
  const OpenedFile file(path_);
  struct stat info {};
  const int answer = file.fd() < 0 ? -1 : ::fstat(file.fd(), &info);
  const auto opened = regular(path_, answer, info);
  if (!opened) return failure(opened.error());
  if (isAnother(file.fd(), *opened)) restart();
  identity_ = identityOf(*opened);
  return readFrom(file.fd(), maxBytes);
}

/// There is nothing to read, or it would not be looked at.
bool EventFile::isUnchanged(const struct stat& info) const {
  const auto size = static_cast<std::uint64_t>(info.st_size);
  return identityOf(info) == identity_ &&
         (size == offset_ || (size > offset_ && records_.refused() != nullptr));
}

bool EventFile::isAnother(int fd, const struct stat& info) const {
  if (offset_ == 0) return false;
  if (identityOf(info) != identity_ || static_cast<std::uint64_t>(info.st_size) < offset_) return true;
  std::array<char, kBeginning> now{};
  const ssize_t n = readAt(fd, 0, now.data(), beginning_.size());
  return n >= 0 && std::string_view(now.data(), static_cast<std::size_t>(n)) != beginning_;
}

void EventFile::restart() {
  skippedBefore_ = skipped();
  records_ = EventRecords();
  offset_ = 0;
  beginning_.clear();
  ++restarts_;
}

Result<std::vector<EventScalar>> EventFile::readFrom(int fd, std::size_t maxBytes) {
  std::vector<EventScalar> all;
  std::string piece(std::min(maxBytes, kPiece), '\0');
  while (maxBytes > 0 && records_.refused() == nullptr) {
    const ssize_t n = readAt(fd, offset_, piece.data(), std::min(maxBytes, piece.size()));
    if (n < 0 && all.empty()) return failure(errnoError(cannotRead(path_), errno));
    if (n <= 0) break;
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(n));
    if (beginning_.size() < kBeginning) beginning_ += bytes.substr(0, kBeginning - beginning_.size());
    offset_ += bytes.size();
    bytesRead_ += bytes.size();
    maxBytes -= bytes.size();
    auto some = records_.add(bytes);
    if (!some && all.empty()) return refusal(std::move(some.error()));
    if (!some) break;
    all.insert(all.end(), std::move_iterator(some->begin()), std::move_iterator(some->end()));
  }
  return all;
}

tl::unexpected<Error> EventFile::refusal(Error why) const {
  why.what = cannotRead(path_);
  return failure(std::move(why));
}

}  // namespace lockstep
