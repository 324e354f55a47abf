// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation_probe.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "rehearsal/network/filter_keeper.h"
#include "rehearsal/network/links.h"

namespace lockstep::rehearsal {
namespace {

constexpr int kNamespaces = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC;
constexpr unsigned kPatienceSeconds = 10;

Result<Privilege> tryNamespaces() {
  if (::unshare(kNamespaces) == 0) return Privilege::Root;
  if (auto entered = enterNewUserNamespace(); !entered) return failure(entered.error());
  if (::unshare(kNamespaces) == 0) return Privilege::UserNamespace;
  return namespaceRefusal("cannot make namespaces", errno);
}

Result<Privilege> tryEverything() {
  const auto privilege = tryNamespaces();
  if (!privilege) return privilege;
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
    return failure(StatusCode::Unavailable, "cannot change mounts", std::strerror(errno));
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

Result<Privilege> probeIsolation() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return failure(StatusCode::Unavailable, "cannot make a pipe", std::strerror(errno));
  const OwnedFd answer(ends[0]);
  OwnedFd question(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(kPatienceSeconds);
    ::signal(SIGCHLD, SIG_DFL);
    const auto found = tryEverything();
    const std::string text = !found ? describe(found.error()) : *found == Privilege::Root ? "root" : "user";
    [[maybe_unused]] const auto written = ::write(question.get(), text.data(), text.size());
    ::_exit(0);
  }
  question = OwnedFd();
  const std::string text = child < 0 ? "cannot fork" : readAnswer(answer.get());
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {  // gone, if SIGCHLD is ignored
  }
  if (text == "root") return Privilege::Root;
  if (text == "user") return Privilege::UserNamespace;
  return failure(StatusCode::Unavailable,
                 text.empty() ? "the trial of isolation did not come to an end" : text);
}

}  // namespace lockstep::rehearsal
