// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/journal/exclusive_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "base/user_dirs.h"

namespace lockstep {
namespace {

// Closing unlocks.
class OpenLock {
 public:
  explicit OpenLock(const std::filesystem::path& file)
      : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {}
  OpenLock(const OpenLock&) = delete;
  OpenLock& operator=(const OpenLock&) = delete;
  ~OpenLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] bool take() const {
    if (descriptor_ < 0) return false;
    while (::flock(descriptor_, LOCK_EX) != 0) {
      if (errno != EINTR) return false;
    }
    return true;
  }

 private:
  int descriptor_;
};

}  // namespace

Result<void> whileAlone(const std::filesystem::path& file, const std::function<Result<void>()>& work) {
  if (const int error = makePrivateFolder(file.parent_path()); error != 0)
    return failure(errnoError(fmt::format("cannot make the folder '{}'", file.parent_path().string()), error,
                              "make it yourself, or name another with LOCKSTEP_HOME"));
  // A lock of its own: the file itself is replaced with each change, and a lock on it would go with it.
  const OpenLock lock(file.string() + ".lock");
  if (!lock.take()) return failure(errnoError(fmt::format("cannot lock '{}.lock'", file.string()), errno));
  return work();
}

}  // namespace lockstep
