// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/isolation_probe.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "rehearsal/network/isolation/filter_keeper.h"
#include "rehearsal/network/isolation/links.h"

namespace lockstep::rehearsal {
namespace {

constexpr int kNamespaces = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC;
constexpr unsigned kTimeoutSeconds = 10;

Result<Privilege> tryNamespaces() {
  if (::unshare(kNamespaces) == 0) return Privilege::Root;
  if (auto entered = enterNewUserNamespace(); !entered) return failure(entered.error());
  if (::unshare(kNamespaces) == 0) return Privilege::UserNamespace;
  return namespaceError("cannot make namespaces", errno);
}

Result<Privilege> tryEverything() {
  const auto privilege = tryNamespaces();
  if (!privilege) return privilege;
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
    return failure(ErrorCode::Unavailable, "cannot change mounts", std::strerror(errno));
  if (auto filter = tryPacketFilter(); !filter) return failure(filter.error());
  const auto links = Links::open();
  if (!links) return failure(links.error());
  if (auto made = links->addBridge("br0"); !made) return failure(made.error());
  const OwnedFd here = openOwnNetwork();
  if (auto plugged = links->addPort("v0", "br0", {here.get(), "eth0", {2}}); !plugged)
    return failure(plugged.error());
  return privilege;
}

std::string readAnswer(int fd) {
  std::string text;
  char buffer[1024];
  for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

}  // namespace

IsolationProbe::IsolationProbe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    error_ = errno;
    return;
  }
  answer_ = OwnedFd(ends[0]);
  const OwnedFd question(ends[1]);
  child_ = ::fork();
  if (child_ < 0) error_ = errno;
  if (child_ != 0) return;
  ::alarm(kTimeoutSeconds);
  ::signal(SIGCHLD, SIG_DFL);
  const auto found = tryEverything();
  const std::string text = !found ? describe(found.error()) : *found == Privilege::Root ? "root" : "user";
  [[maybe_unused]] const auto written = ::write(question.get(), text.data(), text.size());
  ::_exit(0);
}

IsolationProbe::~IsolationProbe() {
  if (child_ > 0) static_cast<void>(wait());
}

Result<Privilege> IsolationProbe::wait() {
  if (child_ < 0) return failure(ErrorCode::Unavailable, "cannot begin the trial", std::strerror(error_));
  const std::string text = readAnswer(answer_.get());
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {  // gone, if SIGCHLD is ignored
  }
  child_ = 0;
  if (text == "root") return Privilege::Root;
  if (text == "user") return Privilege::UserNamespace;
  return failure(ErrorCode::Unavailable,
                 text.empty() ? "the trial of isolation did not come to an end" : text);
}

Result<Privilege> probeIsolation() {
  return IsolationProbe().wait();
}

}  // namespace lockstep::rehearsal
