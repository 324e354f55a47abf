// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/rehearsal/network/network_node_ipv6.h"

#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace lockstep::testing {
namespace {

/// As <linux/ipv6.h> has it, which cannot be included beside <netinet/in.h>.
struct AddressRequest {
  in6_addr address;
  std::uint32_t prefixLength;
  int interface;
};

in6_addr uniqueLocal(int host) {
  in6_addr address{};
  address.s6_addr[0] = 0xfd;
  address.s6_addr[15] = static_cast<std::uint8_t>(host);
  return address;
}

int makeSocket() {
  return ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

}  // namespace

std::string parseIpv6(int host) {
  // Nobody else has the address, so nobody need be asked for a second.
  std::ofstream("/proc/sys/net/ipv6/conf/eth0/accept_dad") << 0;
  const int fd = makeSocket();
  AddressRequest request{uniqueLocal(host), 64, static_cast<int>(::if_nametoindex("eth0"))};
  const bool done = fd >= 0 && ::ioctl(fd, SIOCSIFADDR, &request) == 0;
  const std::string why = done ? "" : std::strerror(errno);
  if (fd >= 0) ::close(fd);
  return why;
}

int listenIpv6(int port) {
  const int fd = makeSocket();
  const int on = 1;
  ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  sockaddr_in6 own{};
  own.sin6_family = AF_INET6;
  own.sin6_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(fd, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0 ? fd : -1;
}

bool talkIpv6(int host, int port, int ms) {
  const int fd = makeSocket();
  sockaddr_in6 to{};
  to.sin6_family = AF_INET6;
  to.sin6_port = htons(static_cast<std::uint16_t>(port));
  to.sin6_addr = uniqueLocal(host);
  char byte = 'x';
  ::sendto(fd, &byte, 1, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  pollfd one{fd, POLLIN, 0};
  const bool answered = ::poll(&one, 1, ms) == 1 && ::recv(fd, &byte, 1, 0) == 1;
  ::close(fd);
  return answered;
}

}  // namespace lockstep::testing
