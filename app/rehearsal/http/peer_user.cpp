// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/peer_user.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace lockstep::rehearsal {
namespace {

constexpr const char* kEstablished = "01";

// As /proc/net/tcp writes one: each word of the address in the machine's order, the port in the net's.
std::string listed(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    return fmt::format("{:08X}:{:04X}", v4.sin_addr.s_addr, ntohs(v4.sin_port));
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
  std::string text;
  for (int i = 0; i < 4; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, v6.sin6_addr.s6_addr + 4 * i, sizeof word);
    text += fmt::format("{:08X}", word);
  }
  return text + fmt::format(":{:04X}", ntohs(v6.sin6_port));
}

}  // namespace

std::optional<uid_t> userAtOtherEnd(int socket) {
  sockaddr_storage here{}, there{};
  socklen_t hereSize = sizeof here, thereSize = sizeof there;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &hereSize) != 0 ||
      ::getpeername(socket, reinterpret_cast<sockaddr*>(&there), &thereSize) != 0)
    return std::nullopt;
  const std::string local = listed(there), remote = listed(here);  // seen from the other end
  std::ifstream table(here.ss_family == AF_INET ? "/proc/net/tcp" : "/proc/net/tcp6");
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    std::string number, from, to, state, queues, timer, retries;
    uid_t user = 0;
    if (fields >> number >> from >> to >> state >> queues >> timer >> retries >> user && from == local &&
        to == remote && state == kEstablished)
      return user;
  }
  return std::nullopt;
}

}  // namespace lockstep::rehearsal
