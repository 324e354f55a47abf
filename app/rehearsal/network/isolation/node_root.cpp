// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/node_root.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "rehearsal/network/isolation/namespaces.h"

namespace lockstep::rehearsal {
namespace {

namespace fs = std::filesystem;

Result<void> bind(const fs::path& from, const fs::path& to) {
  if (::mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0) return {};
  return failure(errnoError("cannot show '" + from.string() + "' at '" + to.string() + "'", errno));
}

// What a mount forbids may not be allowed again inside a user namespace: its flags stay.
unsigned long flagsOf(const fs::path& path) {
  struct statvfs seen {};
  if (::statvfs(path.c_str(), &seen) != 0) return 0;
  unsigned long flags = 0;
  if ((seen.f_flag & ST_NOSUID) != 0) flags |= MS_NOSUID;
  if ((seen.f_flag & ST_NODEV) != 0) flags |= MS_NODEV;
  if ((seen.f_flag & ST_NOEXEC) != 0) flags |= MS_NOEXEC;
  if ((seen.f_flag & ST_NOATIME) != 0) flags |= MS_NOATIME;
  if ((seen.f_flag & ST_NODIRATIME) != 0) flags |= MS_NODIRATIME;
  if ((seen.f_flag & ST_RELATIME) != 0) flags |= MS_RELATIME;
  return flags;
}

Result<void> bindReadOnly(const fs::path& from, const fs::path& to) {
  if (auto bound = bind(from, to); !bound) return bound;
  const unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY | flagsOf(to);
  if (::mount(nullptr, to.c_str(), nullptr, flags, nullptr) == 0) return {};
  return failure(errnoError("cannot make '" + to.string() + "' read only", errno));
}

Result<void> takeOver(const fs::directory_entry& entry, const fs::path& root) {
  std::error_code error;
  const fs::path to = root / entry.path().filename();
  const fs::file_status status = entry.symlink_status(error);
  if (fs::is_symlink(status)) {
    fs::copy_symlink(entry.path(), to, error);
    if (error) return failure(errnoError("cannot make '" + to.string() + "'", error.value()));
    return {};
  }
  if (fs::is_directory(status)) {
    fs::create_directory(to, error);
  } else if (fs::is_regular_file(status)) {
    const OwnedFd file(::open(to.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  } else {
    return {};
  }
  return bind(entry.path(), to);
}

// Everything that the machine's root holds, in a file system that is gone with its last process.
Result<void> makeRoot(const fs::path& root) {
  std::error_code error;
  fs::create_directories(root, error);
  if (error) return failure(errnoError("cannot make '" + root.string() + "'", error.value()));
  if (::mount("tmpfs", root.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=256k") != 0)
    return failure(errnoError("cannot make a root for the node", errno));
  for (fs::directory_iterator entry("/", error), end; !error && entry != end; entry.increment(error))
    if (auto taken = takeOver(*entry, root); !taken) return taken;
  if (error) return failure(errnoError("cannot read '/'", error.value()));
  return {};
}

Result<void> moveInto(const fs::path& root) {
  // The new root on top of the old one, which is then let go.
  if (::chdir(root.c_str()) == 0 && ::syscall(SYS_pivot_root, ".", ".") == 0 &&
      ::umount2(".", MNT_DETACH) == 0 && ::chdir("/") == 0)
    return {};
  return failure(errnoError("cannot enter the root of the node", errno));
}

}  // namespace

Result<void> showReadOnly(const fs::path& folder, const fs::path& at, const fs::path& scratch) {
  std::error_code error;
  if (fs::is_directory(at, error)) return bindReadOnly(folder, at);
  if (auto made = makeRoot(scratch); !made) return made;
  const fs::path inside = scratch / at.relative_path();
  fs::create_directories(inside, error);
  if (error) return failure(errnoError("cannot make '" + inside.string() + "'", error.value()));
  if (auto bound = bindReadOnly(folder, inside); !bound) return bound;
  return moveInto(scratch);
}

}  // namespace lockstep::rehearsal
