// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/liveness/connectivity_probe.h"

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

constexpr std::size_t kMaxGuests = 64;
constexpr std::chrono::milliseconds kTimeout{500};   // for the whole of a connection, whatever comes on it
constexpr std::chrono::milliseconds kFarewell{100};  // at the end, for those that have just got their answer

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

Result<double> probeWith(int fd, const sockaddr_in& to, const std::string& what, const std::string& answer,
                         Steady::time_point deadline) {
  const auto begin = Steady::now();
  if (const int error = connectWithin(fd, to, deadline); error != 0) {
    const bool late = error == ETIMEDOUT;
    return failure(late ? ErrorCode::DeadlineExceeded : ErrorCode::Unavailable, what,
                   late ? "nothing comes back: packets are dropped on the way" : std::strerror(error));
  }
  const std::string line = readLine(fd, deadline);
  if (line != answer) {
    return failure(
        ErrorCode::DataLoss, what,
        line.empty() ? "the connection is taken, but nobody answers" : "another program answers there");
  }
  return std::chrono::duration<double, std::milli>(Steady::now() - begin).count();
}

}  // namespace

Result<std::unique_ptr<ProbeListener>> ProbeListener::open(const std::string& answer, int port,
                                                           const std::string& own) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
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
  if (fd < 0 || error != 0 || ::listen(fd, SOMAXCONN) != 0 || ::getsockname(fd, plain, &size) != 0) {
    if (error == 0) error = errno;
    if (fd >= 0) ::close(fd);
    if (error == EADDRINUSE)
      return failure(ErrorCode::AlreadyExists, fmt::format("the TCP port {} is taken", port),
                     "another program of this machine listens there");
    return failure(errnoError("cannot listen for the other nodes", error));
  }
  return std::unique_ptr<ProbeListener>(new ProbeListener(fd, ntohs(address.sin_port), answer + "\n"));
}

ProbeListener::ProbeListener(int fd, int port, std::string answer)
    : fd_(fd),
      port_(port),
      answer_(std::move(answer)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

ProbeListener::~ProbeListener() {
  thread_.request_stop();
  thread_.join();
  ::close(fd_);
}

void ProbeListener::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) serve(true);
  for (const auto end = Steady::now() + kFarewell; !guests_.empty() && Steady::now() < end;) serve(false);
  letGo(Steady::time_point::max());
}

void ProbeListener::serve(bool admits) {
  std::vector<pollfd> fds;
  if (admits && guests_.size() < kMaxGuests && Steady::now() >= acceptAgain_) fds.push_back({fd_, POLLIN, 0});
  const std::size_t first = fds.size();
  for (const Guest& guest : guests_) fds.push_back({guest.fd, POLLIN, 0});
  if (::poll(fds.data(), fds.size(), 50) > 0) {
    for (std::size_t i = first; i < fds.size(); ++i) {
      if (fds[i].revents != 0) hear(guests_[i - first]);
    }
    while (first == 1 && fds[0].revents != 0 && guests_.size() < kMaxGuests && admit()) {
    }
  }
  letGo(Steady::now());
}

bool ProbeListener::admit() {
  constexpr std::chrono::milliseconds kPauseWithoutDescriptors{500};
  const int fd = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) {
    const int error = errno;
    // Who waits in the queue would wake poll again at once.
    if (error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM)
      acceptAgain_ = Steady::now() + kPauseWithoutDescriptors;
    return error == ECONNABORTED || error == EINTR;
  }
  [[maybe_unused]] const ssize_t sent = ::send(fd, answer_.data(), answer_.size(), MSG_NOSIGNAL);
  guests_.push_back({fd, Steady::now() + kTimeout, false});
  return true;
}

void ProbeListener::hear(Guest& guest) {
  char rest[256];
  const ssize_t n = ::recv(guest.fd, rest, sizeof rest, 0);
  guest.hasLeft = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

void ProbeListener::letGo(Steady::time_point now) {
  std::erase_if(guests_, [now](const Guest& guest) {
    if (!guest.hasLeft && now < guest.until) return false;
    // Who has not hung up is reset, which keeps no port.
    const linger reset{guest.hasLeft ? 0 : 1, 0};
    ::setsockopt(guest.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    ::close(guest.fd);
    return true;
  });
}

Result<double> probeConnection(const std::string& address, int port, const std::string& answer,
                               std::chrono::milliseconds limit) {
  const std::string what = fmt::format("cannot reach {}:{}", address, port);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1)
    return failure(ErrorCode::InvalidArgument, what, "it is no IPv4 address");
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return failure(errnoError(what, errno));
  auto probed = probeWith(fd, to, what, answer, Steady::now() + limit);
  ::close(fd);
  return probed;
}

}  // namespace lockstep::node
