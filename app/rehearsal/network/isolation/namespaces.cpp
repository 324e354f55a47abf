// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/namespaces.h"

#include <fcntl.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "rehearsal/network/isolation/brief_file.h"

namespace lockstep::rehearsal {
namespace {

tl::unexpected<Error> systemFailure(const std::string& what) {
  return failure(ErrorCode::Io, what, std::strerror(errno));
}

Result<void> writeProc(const char* path, const std::string& text) {
  const OwnedFd file(::open(path, O_WRONLY | O_CLOEXEC));
  if (file.valid() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()))
    return {};
  return systemFailure(std::string("cannot write '") + path + "'");
}

bool isNetworkNamespace(int fd, unsigned long inode) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_ino == inode && ::ioctl(fd, NS_GET_NSTYPE) == CLONE_NEWNET;
}

}  // namespace

tl::unexpected<Error> namespaceError(const std::string& what, int error) {
  return failure(ErrorCode::Unavailable, what,
                 error == ENOSPC ? "the machine allows no more of them" : std::strerror(error),
                 "run it as root, or let users make namespaces: sysctl user.max_user_namespaces, "
                 "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns");
}

OwnedFd::~OwnedFd() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> enterNewUserNamespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER) != 0) return namespaceError("cannot make a user namespace", errno);
  if (auto done = writeProc("/proc/self/setgroups", "deny"); !done) return done;
  const auto self = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  if (auto done = writeProc("/proc/self/uid_map", self(user)); !done) return done;
  return writeProc("/proc/self/gid_map", self(group));
}

Result<void> enterNewNetwork() {
  if (::unshare(CLONE_NEWNET) != 0) return systemFailure("cannot make a network namespace");
  return {};
}

OwnedFd openOwnNetwork() {
  return OwnedFd(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
}

std::vector<std::filesystem::path> SwitchRecords::files() const {
  std::vector<std::filesystem::path> found;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ec)) found.push_back(entry.path());
  return found;
}

OwnedFd SwitchRecords::lock(bool wait) const {
  std::error_code ec;
  std::filesystem::create_directories(folder_.parent_path(), ec);
  OwnedFd file(::open((folder_.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (file.valid() && ::flock(file.get(), wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0) return file;
  return {};
}

SwitchRecords::Holder SwitchRecords::holderOf(const std::filesystem::path& record) {
  const auto text = readFile(record);
  const auto read = nlohmann::json::parse(text.value_or(""), nullptr, false);
  if (!read.is_object()) return {};
  const int process = read.value("process", -1);
  const std::string link =
      "/proc/" + std::to_string(process) + "/fd/" + std::to_string(read.value("descriptor", -1));
  OwnedFd network(::open(link.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!network.valid() || !isNetworkNamespace(network.get(), read.value("inode", 0UL))) return {};
  return {std::move(network), process};
}

SwitchRecords::Holder SwitchRecords::find() const {
  for (const std::filesystem::path& file : files()) {
    if (Holder holder = holderOf(file); holder.network.valid()) return holder;
    std::error_code ignored;  // the next one looks at it again
    std::filesystem::remove(file, ignored);
  }
  return {};
}

void SwitchRecords::forgetTheDead() const {
  const OwnedFd locked = lock(false);
  if (!locked.valid()) return;
  std::error_code ignored;
  for (const std::filesystem::path& file : files())
    if (!holderOf(file).network.valid()) std::filesystem::remove(file, ignored);
  std::filesystem::remove(folder_, ignored);  // if it is empty
}

Result<void> SwitchRecords::add(const OwnedFd& network) const {
  struct stat status {};
  if (::fstat(network.get(), &status) != 0) return systemFailure("cannot look at the switch");
  std::error_code ec;
  std::filesystem::create_directories(folder_, ec);
  const nlohmann::json record{
      {"process", ::getpid()}, {"descriptor", network.get()}, {"inode", status.st_ino}};
  return writeBriefFile(folder_ / std::to_string(::getpid()), record.dump(), 0600);
}

void SwitchRecords::removeOwn() const {
  std::error_code ignored;  // a record without its process counts for nothing
  std::filesystem::remove(folder_ / std::to_string(::getpid()), ignored);
}

}  // namespace lockstep::rehearsal
