// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/brief_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "rehearsal/network/isolation/namespaces.h"

namespace lockstep::rehearsal {

Result<void> writeBriefFile(const std::filesystem::path& path, std::string_view bytes, mode_t mode) {
  std::string beside = (path.parent_path() / ("." + path.filename().string() + ".XXXXXX")).string();
  const OwnedFd file(::mkostemp(beside.data(), O_CLOEXEC));
  if (!file.valid()) return failure(errnoError("cannot write '" + path.string() + "'", errno));
  const bool written = ::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (written && ::fchmod(file.get(), mode) == 0 && ::rename(beside.c_str(), path.c_str()) == 0) return {};
  const int error = written ? errno : ENOSPC;  // a short write is a full disk
  ::unlink(beside.c_str());
  return failure(errnoError("cannot write '" + path.string() + "'", error));
}

}  // namespace lockstep::rehearsal
