// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/streamed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lockstep::trainer {

Result<StreamedFile> StreamedFile::create(const std::filesystem::path& path) {
  StreamedFile file(path, -1);
  file.fd_ = ::open(file.partial().c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  if (file.fd_ < 0) return file.broken(errno);
  return file;
}

StreamedFile::StreamedFile(StreamedFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

StreamedFile::~StreamedFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(partial().c_str());
}

Result<void> StreamedFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return broken(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> StreamedFile::finish() {
  if (::fsync(fd_) != 0 || ::rename(partial().c_str(), path_.c_str()) != 0) return broken(errno);
  ::close(std::exchange(fd_, -1));
  return {};
}

tl::unexpected<Error> StreamedFile::broken(int reason) const {
  return failure(errnoError(fmt::format("cannot write '{}'", path_.string()), reason));
}

}  // namespace lockstep::trainer
