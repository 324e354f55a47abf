// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/namespaces.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"

namespace lockstep::rehearsal {
namespace {

tl::unexpected<Status> systemFailure(const std::string& what) {
  return failure(StatusCode::Io, what, std::strerror(errno));
}

Result<void> writeProc(const char* path, const std::string& text) {
  const OwnedFd file(::open(path, O_WRONLY | O_CLOEXEC));
  if (file.valid() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()))
    return {};
  return systemFailure(std::string("cannot write '") + path + "'");
}

std::string findTool(const std::string& name) {
  for (const char* folder : {"/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"})
    if (::access((folder + name).c_str(), X_OK) == 0) return folder + name;
  return {};
}

// Of this process, which is about to execute a tool: only system calls.
bool keepNetworkRight() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) != 0) return false;
  data[0].inheritable |= 1U << CAP_NET_ADMIN;
  return ::syscall(SYS_capset, &header, data) == 0 &&
         ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_ADMIN, 0, 0) == 0;
}

struct ToolStart {
  std::vector<char*> arguments;
  int in, err, network;
  Privilege privilege;
};

[[noreturn]] void becomeTool(const ToolStart& start) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  const bool placed = start.network < 0 || ::setns(start.network, CLONE_NEWNET) == 0;
  const bool allowed = placed && (start.privilege == Privilege::Root || keepNetworkRight());
  if (allowed && ::dup2(start.in, 0) == 0 && ::dup2(start.err, 1) == 1 && ::dup2(start.err, 2) == 2) {
    char* const environment[] = {const_cast<char*>("LC_ALL=C"), nullptr};
    ::execve(start.arguments[0], start.arguments.data(), environment);
  }
  const char* text = std::strerror(errno);
  [[maybe_unused]] const auto written = ::write(start.err, text, std::strlen(text));
  ::_exit(127);
}

std::string readAll(int fd) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

bool isNetworkNamespace(int fd, unsigned long inode) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_ino == inode && ::ioctl(fd, NS_GET_NSTYPE) == CLONE_NEWNET;
}

}  // namespace

OwnedFd::~OwnedFd() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> enterNewUserNamespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER) != 0) return systemFailure("cannot make a user namespace");
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

Result<void> runTool(const std::vector<std::string>& command, const std::string& input, int network,
                     Privilege privilege) {
  const std::string program = findTool(command.front());
  if (program.empty())
    return failure(StatusCode::NotFound, "cannot run '" + command.front() + "'", "it is not installed");
  int in[2], err[2];
  if (::pipe2(in, O_CLOEXEC) != 0) return systemFailure("cannot make a pipe");
  const OwnedFd inRead(in[0]);
  OwnedFd inWrite(in[1]);
  if (::pipe2(err, O_CLOEXEC) != 0) return systemFailure("cannot make a pipe");
  const OwnedFd errRead(err[0]);
  OwnedFd errWrite(err[1]);
  ToolStart start{{const_cast<char*>(program.c_str())}, in[0], err[1], network, privilege};
  for (std::size_t i = 1; i < command.size(); ++i)
    start.arguments.push_back(const_cast<char*>(command[i].c_str()));
  start.arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return systemFailure("cannot start '" + program + "'");
  if (child == 0) becomeTool(start);
  errWrite = OwnedFd();
  // What it is told fits into the pipe, so this does not wait for the tool.
  [[maybe_unused]] const auto written = ::write(inWrite.get(), input.data(), input.size());
  inWrite = OwnedFd();
  const std::string said = readAll(errRead.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return failure(StatusCode::Io, "'" + command.front() + "' failed", said.substr(0, said.find('\n')));
}

std::vector<std::filesystem::path> SwitchRecords::files() const {
  std::vector<std::filesystem::path> found;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ec)) found.push_back(entry.path());
  return found;
}

SwitchRecords::Holder SwitchRecords::find() const {
  for (const std::filesystem::path& file : files()) {
    const auto text = readFile(file);
    const auto record = nlohmann::json::parse(text.value_or(""), nullptr, false);
    if (!record.is_object()) continue;
    const int process = record.value("process", -1);
    const std::string link =
        "/proc/" + std::to_string(process) + "/fd/" + std::to_string(record.value("descriptor", -1));
    OwnedFd network(::open(link.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (network.valid() && isNetworkNamespace(network.get(), record.value("inode", 0UL)))
      return {std::move(network), process};
    std::error_code ignored;  // the next one looks at it again
    std::filesystem::remove(file, ignored);
  }
  return {};
}

Result<void> SwitchRecords::add(const OwnedFd& network) const {
  struct stat status {};
  if (::fstat(network.get(), &status) != 0) return systemFailure("cannot look at the switch");
  std::error_code ec;
  std::filesystem::create_directories(folder_, ec);
  const nlohmann::json record{
      {"process", ::getpid()}, {"descriptor", network.get()}, {"inode", status.st_ino}};
  return writeFileAtomically(folder_ / std::to_string(::getpid()), record.dump(), 0600);
}

void SwitchRecords::removeOwn() const {
  std::error_code ignored;  // a record without its process counts for nothing
  std::filesystem::remove(folder_ / std::to_string(::getpid()), ignored);
}

}  // namespace lockstep::rehearsal
