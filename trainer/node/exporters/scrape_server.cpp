// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/scrape_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "trainer/node/exporters/scrape_request.h"

namespace lockstep::node {
namespace {

constexpr long long kLimitMs = 5000;  // for a request and its answer
constexpr int kBacklog = 16;

long long nowMs() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

/// An address of the kernel; its length is 0 where the text is none.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

SocketAddress socketAddressOf(const ScrapeAddress& where) {
  SocketAddress address;
  auto* const four = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* const six = reinterpret_cast<sockaddr_in6*>(&address.storage);
  const auto port = htons(static_cast<std::uint16_t>(where.port));
  if (::inet_pton(AF_INET, where.address.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = port;
    address.length = sizeof(sockaddr_in);
  } else if (::inet_pton(AF_INET6, where.address.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = port;
    address.length = sizeof(sockaddr_in6);
  }
  return address;
}

}  // namespace

Result<std::unique_ptr<ScrapeServer>> ScrapeServer::open(const ScrapeAddress& where, Text text) {
  const SocketAddress address = socketAddressOf(where);
  const std::string what = fmt::format("cannot listen at {}, port {}", where.address, where.port);
  if (address.length == 0) return failure(ErrorCode::InvalidArgument, what, "that is no IP address");
  const int listener = ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return failure(errnoError(what, errno));
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const auto* const any = reinterpret_cast<const sockaddr*>(&address.storage);
  if (::bind(listener, any, address.length) != 0 || ::listen(listener, kBacklog) != 0) {
    Error error = errnoError(what, errno);
    ::close(listener);
    return failure(std::move(error));
  }
  const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) {
    Error error = errnoError(what, errno);
    ::close(listener);
    return failure(std::move(error));
  }
  return std::unique_ptr<ScrapeServer>(new ScrapeServer(listener, wake, std::move(text)));
}

ScrapeServer::ScrapeServer(int listener, int wake, Text text)
    : listener_(listener), wake_(wake), text_(std::move(text)), thread_([this] { run(); }) {}

ScrapeServer::~ScrapeServer() {
  const std::uint64_t one = 1;
  (void)!::write(wake_, &one, sizeof one);
  thread_.join();
  ::close(listener_);
  ::close(wake_);
}

bool ScrapeServer::waitFor(int connection, short events, long long until) const {
  for (;;) {
    const long long left = until - nowMs();
    if (left <= 0) return false;
    pollfd both[] = {{connection, events, 0}, {wake_, POLLIN, 0}};
    const int ready = ::poll(both, 2, static_cast<int>(std::min(left, kLimitMs)));
    if (ready < 0 && errno != EINTR) return false;
    if (both[1].revents != 0) return false;
    if (ready > 0 && both[0].revents != 0) return true;
  }
}

void ScrapeServer::run() {
  for (;;) {
    pollfd both[] = {{listener_, POLLIN, 0}, {wake_, POLLIN, 0}};
    if (::poll(both, 2, -1) < 0 && errno != EINTR) return;
    if (both[1].revents != 0) return;
    if (both[0].revents == 0) continue;
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) {
      // Of a process that may open no more files the connection would be there again at once.
      if (errno == EMFILE || errno == ENFILE) std::this_thread::sleep_for(std::chrono::milliseconds(200));
      continue;
    }
    serve(connection);
    ::close(connection);
  }
}

void ScrapeServer::serve(int connection) {
  const long long until = nowMs() + kLimitMs;
  std::string head;
  while (!isWholeHead(head) && head.size() < kMaxScrapeHead) {
    if (!waitFor(connection, POLLIN, until)) return;
    char piece[2048];
    const ssize_t got = ::recv(connection, piece, sizeof piece, 0);
    if (got == 0) return;
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got < 0) return;
    head.append(piece, static_cast<std::size_t>(got));
  }
  const ScrapeRequest request = isWholeHead(head) ? scrapeRequestFrom(head) : ScrapeRequest{};
  const std::string answer = scrapeAnswer(request, request.status == 200 ? text_() : std::string());
  for (std::size_t sent = 0; sent < answer.size();) {
    if (!waitFor(connection, POLLOUT, until)) return;
    const ssize_t put = ::send(connection, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
    if (put < 0 && errno != EAGAIN && errno != EINTR) return;
    if (put > 0) sent += static_cast<std::size_t>(put);
  }
  // A close with bytes unread would be a reset, and take the answer with it.
  ::shutdown(connection, SHUT_WR);
  char rest[2048];
  for (int i = 0; i < 8 && waitFor(connection, POLLIN, until); ++i)
    if (::recv(connection, rest, sizeof rest, 0) <= 0) return;
}

}  // namespace lockstep::node
