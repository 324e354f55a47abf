// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

namespace lockstep::trainer {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

struct Resolved {
  Addresses list{nullptr, &::freeaddrinfo};
  int error = 0;
};

Resolved resolve(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  Resolved resolved;
  resolved.error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (resolved.error == 0) resolved.list.reset(list);
  return resolved;
}

std::string addressOf(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  char text[NI_MAXHOST] = {};
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, text, sizeof text, nullptr, 0,
                NI_NUMERICHOST);
  return text;
}

// 0 when connected, else errno.
int finishConnect(int fd, int timeoutMs) {
  pollfd waiting{fd, POLLOUT, 0};
  if (::poll(&waiting, 1, timeoutMs) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

struct Attempt {
  int fd = -1;
  int error = 0;
};

Attempt connectTo(const addrinfo& address, int timeoutMs) {
  Attempt attempt;
  attempt.fd = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (attempt.fd < 0) return {-1, errno};
  if (::connect(attempt.fd, address.ai_addr, address.ai_addrlen) != 0) {
    attempt.error = errno == EINPROGRESS ? finishConnect(attempt.fd, timeoutMs) : errno;
  }
  if (attempt.error != 0) {
    ::close(attempt.fd);
    return {-1, attempt.error};
  }
  ::fcntl(attempt.fd, F_SETFL, ::fcntl(attempt.fd, F_GETFL) & ~O_NONBLOCK);
  const int on = 1;
  ::setsockopt(attempt.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return attempt;
}

}  // namespace

Result<Listener> listenAnywhere() {
  Listener listener;
  listener.fd = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_storage address{};
  socklen_t size = sizeof(sockaddr_in6);
  address.ss_family = AF_INET6;
  if (listener.fd < 0) {  // a machine without IPv6
    listener.fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    size = sizeof(sockaddr_in);
    address.ss_family = AF_INET;
  } else {
    const int off = 0;
    ::setsockopt(listener.fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  }
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (listener.fd < 0 || ::bind(listener.fd, plain, size) != 0 || ::listen(listener.fd, 128) != 0 ||
      ::getsockname(listener.fd, plain, &size) != 0) {
    return failure(errnoError("cannot listen for the other ranks", errno));
  }
  listener.port = ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(plain)->sin6_port
                                                      : reinterpret_cast<sockaddr_in*>(plain)->sin_port);
  return listener;
}

Result<void> checkHostName(const std::string& host) {
  const int error = resolve(host, 0).error;
  if (error == 0 || error == EAI_AGAIN) return {};
  return failure(ErrorCode::NotFound, fmt::format("nobody knows the address of '{}'", host),
                 ::gai_strerror(error), "check MASTER_ADDR");
}

Result<Connected> connectUntil(const std::string& host, int port,
                               std::chrono::steady_clock::time_point deadline) {
  const std::string what = fmt::format("cannot reach {}:{}", host, port);
  std::string reason = "no time left";
  while (std::chrono::steady_clock::now() < deadline) {
    const Resolved resolved = resolve(host, port);
    if (resolved.error != 0 && resolved.error != EAI_AGAIN) {
      return failure(ErrorCode::NotFound, what, ::gai_strerror(resolved.error), "check MASTER_ADDR");
    }
    if (resolved.error != 0) reason = ::gai_strerror(resolved.error);
    for (const addrinfo* one = resolved.list.get(); one != nullptr; one = one->ai_next) {
      const Attempt attempt = connectTo(*one, 1000);
      if (attempt.error == 0) return Connected{attempt.fd, addressOf(attempt.fd)};
      reason = std::strerror(attempt.error);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return failure(ErrorCode::DeadlineExceeded, what, reason);
}

std::string hostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

}  // namespace lockstep::trainer
