// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/settings/master_port.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace lockstep::node {
namespace {

// A name in the abstract namespace of this network namespace, which is just as wide as the ports are.
int holdName(int port) {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const std::string name = fmt::format("lockstep-master-port-{}", port);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0) return fd;
  ::close(fd);
  return -1;
}

// The port, when it can be bound now (0: whichever the system chooses); else 0.
int bindable(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return 0;
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  const bool bound =
      ::bind(fd, plain, size) == 0 && ::listen(fd, 1) == 0 && ::getsockname(fd, plain, &size) == 0;
  ::close(fd);
  return bound ? ntohs(address.sin_port) : 0;
}

}  // namespace

Result<MasterPort> MasterPort::choose(int wanted, int usual) {
  if (wanted != 0) return MasterPort(wanted, -1);
  constexpr int kTries = 50;
  for (int i = 0; i < kTries; ++i) {
    const int port = bindable(i == 0 ? usual : 0);
    const int lock = port == 0 ? -1 : holdName(port);
    if (lock >= 0) return MasterPort(port, lock);
  }
  return failure(ErrorCode::ResourceExhausted, "no TCP port is free for rank 0", {},
                 "set MASTER_PORT to one that is");
}

MasterPort::~MasterPort() {
  if (lockFd_ >= 0) ::close(lockFd_);
}

}  // namespace lockstep::node
