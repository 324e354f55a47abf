// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kMaxWaiting = 256 * 1024;  // bytes that one side has not taken yet

int connectTo(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno == EINPROGRESS)
    return fd;
  ::close(fd);
  return -1;
}

/// One connection: side 0 is the node's, side 1 the region's.
struct Connection {
  struct Side {
    OwnedFd fd;
    std::string waiting;  // to be written to this side
    std::size_t written = 0;
    bool ended = false;  // it sends no more
    bool shut = false;   // we send no more to it
    std::uint32_t interest = 0;
  };
  std::array<Side, 2> sides;
  bool broken = false;

  void read(std::size_t i) {
    Side& from = sides[i];
    Side& to = sides[1 - i];
    char buffer[65536];
    while (!from.ended && to.waiting.size() - to.written < kMaxWaiting) {
      const ssize_t n = ::read(from.fd.get(), buffer, sizeof buffer);
      if (n > 0) {
        to.waiting.append(buffer, static_cast<std::size_t>(n));
        write(1 - i);
      } else if (n == 0) {
        from.ended = true;
      } else if (errno != EINTR) {
        broken = broken || errno != EAGAIN;
        return;
      }
    }
  }

  void write(std::size_t i) {
    Side& side = sides[i];
    while (side.written < side.waiting.size()) {
      const ssize_t n = ::send(side.fd.get(), side.waiting.data() + side.written,
                               side.waiting.size() - side.written, MSG_NOSIGNAL);
      if (n >= 0) {
        side.written += static_cast<std::size_t>(n);
      } else if (errno != EINTR) {
        broken = broken || (errno != EAGAIN && errno != ENOTCONN);
        break;
      }
    }
    side.waiting.erase(0, side.written);
    side.written = 0;
  }

  void passEnds() {
    for (std::size_t i = 0; i < 2; ++i) {
      Side& side = sides[i];
      if (side.shut || !sides[1 - i].ended || !side.waiting.empty()) continue;
      ::shutdown(side.fd.get(), SHUT_WR);
      side.shut = true;
    }
  }

  [[nodiscard]] bool done() const { return broken || (sides[0].shut && sides[1].shut); }

  [[nodiscard]] std::uint32_t wanted(std::size_t i) const {
    const bool read = !sides[i].ended && sides[1 - i].waiting.size() - sides[1 - i].written < kMaxWaiting;
    const bool write = !sides[i].waiting.empty();
    return (read ? std::uint32_t{EPOLLIN} : 0U) | (write ? std::uint32_t{EPOLLOUT} : 0U);
  }

  // So that a peer learns of a connection that broke, rather than of one that ended well.
  void reset() {
    const linger now{1, 0};
    for (Side& side : sides) ::setsockopt(side.fd.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }
};

class RelayThread : public Relay {
 public:
  RelayThread(int poll, int wake) : poll_(poll), wake_(wake) {
    watch(wake_.get(), kWake, EPOLLIN);
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits it
    thread_ = std::thread([this] { loop(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~RelayThread() override {
    stop_ = true;
    wake();
    thread_.join();
  }

  void serve(OwnedFd listener, int port) override {
    const std::lock_guard lock(mutex_);
    const std::uint64_t id = next_++;
    watch(listener.get(), id * 2, EPOLLIN);
    listeners_.emplace(id, Listener{std::move(listener), port});
  }

 private:
  struct Listener {
    OwnedFd fd;
    int port;
  };
  static constexpr std::uint64_t kWake = 0;

  void wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
  }

  void watch(int fd, std::uint64_t key, std::uint32_t events) const {
    epoll_event event{};
    event.events = events;
    event.data.u64 = key;
    ::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, fd, &event);
  }

  void loop() {
    std::array<epoll_event, 64> events;
    while (!stop_) {
      const int count = ::epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count && !stop_; ++i)
        handle(events[static_cast<std::size_t>(i)].data.u64, events[static_cast<std::size_t>(i)].events);
    }
  }

  void handle(std::uint64_t key, std::uint32_t events) {
    if (key == kWake) return;
    const std::lock_guard lock(mutex_);
    if (const auto listener = listeners_.find(key / 2); listener != listeners_.end())
      return accept(listener->second);
    const auto found = connections_.find(key / 2);
    if (found == connections_.end()) return;  // an event of before its end
    Connection& connection = found->second;
    const std::size_t side = key % 2;
    if ((events & EPOLLOUT) != 0) connection.write(side);
    if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) connection.read(side);
    if ((events & EPOLLERR) != 0) connection.broken = true;
    connection.passEnds();
    if (connection.done()) {
      if (connection.broken) connection.reset();
      connections_.erase(found);
    } else {
      adjust(key / 2, connection);
    }
  }

  void accept(const Listener& listener) {
    for (;;) {
      const int node = ::accept4(listener.fd.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (node < 0) return;
      const int on = 1;
      ::setsockopt(node, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      Connection connection;
      connection.sides[0].fd = OwnedFd(node);
      connection.sides[1].fd = OwnedFd(connectTo(listener.port));
      if (!connection.sides[1].fd.valid()) {  // no region there at present
        connection.reset();
        continue;
      }
      const std::uint64_t id = next_++;
      for (std::size_t i = 0; i < 2; ++i) {
        connection.sides[i].interest = EPOLLIN;
        watch(connection.sides[i].fd.get(), id * 2 + i, EPOLLIN);
      }
      connections_.emplace(id, std::move(connection));
    }
  }

  // A side of which nothing is wanted is not watched at all: its hang-up would be told over and over.
  void adjust(std::uint64_t id, Connection& connection) const {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::uint32_t wanted = connection.wanted(i), before = connection.sides[i].interest;
      if (wanted == before) continue;
      connection.sides[i].interest = wanted;
      epoll_event event{};
      event.events = wanted;
      event.data.u64 = id * 2 + i;
      const int change = wanted == 0 ? EPOLL_CTL_DEL : before == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
      ::epoll_ctl(poll_.get(), change, connection.sides[i].fd.get(), &event);
    }
  }

  OwnedFd poll_, wake_;
  std::mutex mutex_;
  std::uint64_t next_ = 1;
  std::unordered_map<std::uint64_t, Listener> listeners_;
  std::unordered_map<std::uint64_t, Connection> connections_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Relay>> Relay::start() {
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (poll >= 0 && wake >= 0) return std::make_unique<RelayThread>(poll, wake);
  const std::string cause = std::strerror(errno);
  if (poll >= 0) ::close(poll);
  if (wake >= 0) ::close(wake);
  return failure(ErrorCode::Io, "cannot make the relay of a node", cause);
}

}  // namespace lockstep::rehearsal
