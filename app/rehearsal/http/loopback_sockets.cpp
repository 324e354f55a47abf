// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/loopback_sockets.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <optional>

namespace lockstep::rehearsal {
namespace {

template <class Address>
std::optional<OpenSocket> listenAt(int family, const Address& address, int& error) {
  OpenSocket socket(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  if (socket.number >= 0) {
    ::setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (family == AF_INET6) ::setsockopt(socket.number, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    if (::bind(socket.number, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::listen(socket.number, 512) == 0)
      return socket;
  }
  error = errno;
  return std::nullopt;
}

std::optional<OpenSocket> listenV4(int port, int& error) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return listenAt(AF_INET, address, error);
}

std::optional<OpenSocket> listenV6(int port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(static_cast<std::uint16_t>(port));
  address.sin6_addr = in6addr_loopback;
  int ignored = 0;
  return listenAt(AF_INET6, address, ignored);
}

int portOf(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin_port)
                                                                                  : 0;
}

}  // namespace

Result<LoopbackSockets> listenOnLoopback(int port) {
  int error = 0;
  auto v4 = listenV4(port, error);
  if (!v4)
    return failure(ErrorCode::Unavailable, fmt::format("cannot listen on 127.0.0.1:{}", port),
                   errnoError("", error).cause, "choose another port");
  LoopbackSockets bound;
  bound.port = portOf(v4->number);
  bound.sockets.push_back(std::move(*v4));
  if (auto v6 = listenV6(bound.port)) bound.sockets.push_back(std::move(*v6));
  return bound;
}

}  // namespace lockstep::rehearsal
