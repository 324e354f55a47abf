// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "base/atomic_file.h"

namespace lockstep {

/// A file of these bytes, for as long as it lives.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("run", MFD_CLOEXEC)) {
    writeAll(fd_, bytes);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(fd_); }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace lockstep
