// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace lockstep::trainer {

Result<FolderLock> FolderLock::take(const std::filesystem::path& directory, const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    return failure(
        errnoError(fmt::format("cannot create the data folder '{}'", directory.string()), error.value()));
  const std::string what = fmt::format("cannot lock the data folder '{}'", directory.string());
  const int fd = ::open((directory / name).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (fd < 0) return failure(errnoError(what, errno));
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int reason = errno;
    ::close(fd);
    return failure(errnoError(what, reason));
  }
  return FolderLock(fd);
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace lockstep::trainer
