// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/reach_probe.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lockstep::node {
namespace {

using Steady = std::chrono::steady_clock;

int milliseconds(Steady::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

// 0 when connected, else errno.
int connectWithin(int fd, const sockaddr_in& to, Steady::time_point deadline) {
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd waiting{fd, POLLOUT, 0};
  if (::poll(&waiting, 1, milliseconds(deadline)) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

std::string readLine(int fd, Steady::time_point deadline) {
  std::string text;
  char buffer[256];
  while (text.find('\n') == std::string::npos && text.size() < 4096) {
    pollfd waiting{fd, POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds(deadline)) <= 0) break;
    const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
    if (n <= 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text.substr(0, text.find('\n'));
}

void awaitEnd(int fd) {
  constexpr int kPatienceMs = 500;
  pollfd waiting{fd, POLLIN, 0};
  char rest[64];
  while (::poll(&waiting, 1, kPatienceMs) > 0 && ::recv(fd, rest, sizeof rest, 0) > 0) {
  }
}

Result<double> probeWith(int fd, const sockaddr_in& to, const std::string& what, const std::string& answer,
                         Steady::time_point deadline) {
  const auto begin = Steady::now();
  if (const int error = connectWithin(fd, to, deadline); error != 0) {
    const bool late = error == ETIMEDOUT;
    return failure(late ? StatusCode::DeadlineExceeded : StatusCode::Unavailable, what,
                   late ? "nothing comes back: packets are dropped on the way" : std::strerror(error));
  }
  const std::string line = readLine(fd, deadline);
  if (line != answer) {
    return failure(
        StatusCode::DataLoss, what,
        line.empty() ? "the connection is taken, but nobody answers" : "another program answers there");
  }
  return std::chrono::duration<double, std::milli>(Steady::now() - begin).count();
}

}  // namespace

Result<std::unique_ptr<ReachListener>> ReachListener::open(const std::string& answer, int port,
                                                           const std::string& own) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, own.c_str(), &address.sin_addr);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  int error = fd < 0 || ::bind(fd, plain, size) == 0 ? 0 : errno;
  if (error == EADDRNOTAVAIL) {  // an address that something in between translates to one of ours
    address.sin_addr.s_addr = INADDR_ANY;
    error = ::bind(fd, plain, size) == 0 ? 0 : errno;
  }
  if (fd < 0 || error != 0 || ::listen(fd, 128) != 0 || ::getsockname(fd, plain, &size) != 0) {
    if (error == 0) error = errno;
    if (fd >= 0) ::close(fd);
    if (error == EADDRINUSE)
      return failure(StatusCode::AlreadyExists, fmt::format("the TCP port {} is taken", port),
                     "another program of this machine listens there");
    return failure(errnoStatus("cannot listen for the other nodes", error));
  }
  return std::unique_ptr<ReachListener>(new ReachListener(fd, ntohs(address.sin_port), answer + "\n"));
}

ReachListener::ReachListener(int fd, int port, std::string answer)
    : fd_(fd),
      port_(port),
      answer_(std::move(answer)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

ReachListener::~ReachListener() {
  thread_.request_stop();
  thread_.join();
  ::close(fd_);
}

void ReachListener::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    pollfd waiting{fd_, POLLIN, 0};
    if (::poll(&waiting, 1, 50) <= 0) continue;
    const int one = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (one < 0) continue;
    [[maybe_unused]] const ssize_t sent = ::send(one, answer_.data(), answer_.size(), MSG_NOSIGNAL);
    // Whoever closes first keeps the port for a while, and a program of the cluster is to listen here soon.
    awaitEnd(one);
    ::close(one);
  }
}

Result<double> probeReach(const std::string& address, int port, const std::string& answer,
                          std::chrono::milliseconds limit) {
  const std::string what = fmt::format("cannot reach {}:{}", address, port);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1)
    return failure(StatusCode::InvalidArgument, what, "it is no IPv4 address");
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return failure(errnoStatus(what, errno));
  auto probed = probeWith(fd, to, what, answer, Steady::now() + limit);
  ::close(fd);
  return probed;
}

}  // namespace lockstep::node
