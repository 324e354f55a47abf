// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/http_front.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>
#include <unordered_map>
#include <vector>

#include "rehearsal/front/worker_threads.h"
#include "rehearsal/region_log.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// How long a thread stays with a connection for its next request, before that costs a change of threads.
constexpr auto kStay = 20ms;
constexpr std::size_t kMostThrown = 16 << 20;  // of what somebody sends after the last answer

struct OpenSocket {
  int number = -1;
  explicit OpenSocket(int n) : number(n) {}
  OpenSocket(OpenSocket&& other) noexcept : number(std::exchange(other.number, -1)) {}
  OpenSocket& operator=(OpenSocket&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~OpenSocket() {
    if (number >= 0) ::close(number);
  }
};

struct Listener {
  OpenSocket socket;
  std::shared_ptr<SSL_CTX> tls;
};

struct Connection {
  Connection(int socket, WireStream::Ssl tls, const std::atomic<bool>& stopping)
      : stream(socket, std::move(tls), stopping) {}
  WireStream stream;
  std::string input;
  std::size_t searched = 0;
  bool isOpen = false;  // its handshake is done
  WireStream::Deadline deadline;
  std::unique_ptr<Exchange> exchange;  // the request that is being read or answered
  bool isEnding = false;               // our side has ended: what comes is thrown away
  std::size_t thrown = 0;

  std::optional<std::size_t> headSize() { return findHeadEnd(input, searched); }
};

bool greetsInTls(const Connection& connection) {
  return connection.input.starts_with('\x16');
}

// Clients may send an empty line before a request (RFC 9112 §2.2).
void dropEmptyLines(Connection& connection) {
  std::size_t n = 0;
  while (n < connection.input.size() && (connection.input[n] == '\r' || connection.input[n] == '\n')) ++n;
  if (n == 0) return;
  connection.input.erase(0, n);
  connection.searched = 0;
}

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

// Connections must leave descriptors for objects, logs and runs, however many strangers there are.
FrontLimits withinDescriptors(FrontLimits limits) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY)
    limits.mostConnections =
        std::min<std::size_t>(limits.mostConnections, static_cast<std::size_t>(files.rlim_cur) * 5 / 8);
  return limits;
}

}  // namespace

struct HttpFront::Parts {
  Parts(Dispatcher& d, FrontLimits l, BodyFiles* f)
      : limits(withinDescriptors(l)),
        memory(l.mostBodyMemory),
        shared{d, limits, f, memory, stopping},
        poll(::epoll_create1(EPOLL_CLOEXEC)),
        wakeUp(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

  const FrontLimits limits;
  std::atomic<bool> stopping{false};
  BodyMemory memory;
  const FrontShared shared;
  OpenSocket poll, wakeUp;
  std::vector<Listener> listeners;
  std::mutex mutex;  // of the waiting ones: workers bring connections back
  std::unordered_map<int, std::shared_ptr<Connection>> waiting;
  WorkerThreads workers;

  void watch(int socket, std::uint32_t events, int operation) const {
    epoll_event event{};
    event.events = events;
    event.data.fd = socket;
    ::epoll_ctl(poll.number, operation, socket, &event);
  }

  /// Leaves a connection to the watching thread, until something comes or its time is over.
  void park(std::shared_ptr<Connection> connection, WireStream::Outcome wants, bool isNew = false) {
    const int socket = connection->stream.socket();
    const std::uint32_t events = wants == WireStream::Outcome::WantsWrite ? EPOLLOUT : EPOLLIN;
    {
      const std::lock_guard lock(mutex);
      waiting[socket] = std::move(connection);
    }
    watch(socket, events | EPOLLONESHOT, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD);
  }

  std::shared_ptr<Connection> take(int socket) {
    const std::lock_guard lock(mutex);
    const auto found = waiting.find(socket);
    if (found == waiting.end()) return nullptr;
    auto connection = std::move(found->second);
    waiting.erase(found);
    return connection;
  }

  void accept(const Listener& listener) {
    for (;;) {
      const int socket = ::accept4(listener.socket.number, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (socket < 0 && (errno == EMFILE || errno == ENFILE)) {
        dropOldest();
        std::this_thread::sleep_for(10ms);
      }
      if (socket < 0) return;
      const int yes = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      WireStream::Ssl tls(listener.tls ? SSL_new(listener.tls.get()) : nullptr, SSL_free);
      auto connection = std::make_shared<Connection>(socket, std::move(tls), stopping);
      connection->deadline = SteadyClock::now() + limits.headPatience;
      if (waitingCount() >= limits.mostConnections) dropOldest();
      park(std::move(connection), WireStream::Outcome::WantsRead, true);
    }
  }

  std::size_t waitingCount() {
    const std::lock_guard lock(mutex);
    return waiting.size();
  }

  // Requests on their way go last: whoever sends one is known.
  void dropOldest() {
    const auto rank = [](const Connection& c) { return std::make_pair(c.exchange != nullptr, c.deadline); };
    const std::lock_guard lock(mutex);
    auto oldest = waiting.begin();
    for (auto it = waiting.begin(); it != waiting.end(); ++it)
      if (rank(*it->second) < rank(*oldest->second)) oldest = it;
    if (oldest != waiting.end()) waiting.erase(oldest);
  }

  void dropLate() {
    const auto now = SteadyClock::now();
    std::vector<std::shared_ptr<Connection>> late;  // closed outside of the lock
    const std::lock_guard lock(mutex);
    for (auto it = waiting.begin(); it != waiting.end();) {
      if (it->second->deadline > now) {
        ++it;
        continue;
      }
      late.push_back(std::move(it->second));
      it = waiting.erase(it);
    }
  }

  enum class Next { Request, Wait, Gone };

  /// As far as it goes without waiting: handshake, then the head.
  Next advance(Connection& connection, WireStream::Outcome& wants) {
    if (!connection.isOpen) {
      wants = connection.stream.handshake();
      if (wants == WireStream::Outcome::Closed) return Next::Gone;
      if (wants != WireStream::Outcome::Done) return Next::Wait;
      connection.isOpen = true;
    }
    const bool wasEmpty = connection.input.empty();
    wants = connection.stream.readSome(connection.input, kMostHeadBytes + 1);
    dropEmptyLines(connection);
    if (connection.headSize() || connection.input.size() > kMostHeadBytes || greetsInTls(connection))
      return Next::Request;
    if (wants == WireStream::Outcome::Closed) return Next::Gone;
    if (wasEmpty && !connection.input.empty()) connection.deadline = SteadyClock::now() + limits.headPatience;
    return Next::Wait;
  }

  void look(int socket) {
    auto connection = take(socket);
    if (!connection) return;
    if (connection->isEnding) return throwAway(std::move(connection));
    if (connection->exchange) return workers.enqueue([this, connection] { serveSafely(connection); });
    WireStream::Outcome wants{};
    switch (advance(*connection, wants)) {
      case Next::Gone:
        return;
      case Next::Wait:
        return park(std::move(connection), wants);
      case Next::Request:
        workers.enqueue([this, connection] { serveSafely(connection); });
    }
  }

  /// Keeps a connection whose last answer is out until the other side has seen it, without a thread.
  void throwAway(std::shared_ptr<Connection> connection) {
    if (connection->stream.discard(kMostThrown - connection->thrown, connection->thrown) ==
            WireStream::Outcome::Closed ||
        connection->thrown >= kMostThrown)
      return;
    park(std::move(connection), WireStream::Outcome::WantsRead);
  }

  void end(std::shared_ptr<Connection> connection) {
    connection->exchange.reset();
    connection->isEnding = true;
    connection->deadline = SteadyClock::now() + limits.drain;
    connection->stream.endWriting();
    throwAway(std::move(connection));
  }

  Exchange::Step goOn(Connection& connection) {
    if (connection.exchange) return connection.exchange->resume();
    connection.exchange = std::make_unique<Exchange>(connection.stream, connection.input, shared);
    const auto size = connection.headSize();
    // docker tries https at every registry first, and goes on in clear when it is answered in clear.
    if (!size && greetsInTls(connection))
      return connection.exchange->refuse({400, "InvalidParameter", "This port speaks http, not https."});
    if (!size || *size > kMostHeadBytes)
      return connection.exchange->refuse(
          {431, "RequestHeaderFieldsTooLarge", "The headers of the request are too large."});
    return connection.exchange->begin(*size);
  }

  /// Waits a moment for what a request in the middle needs, when no other wants the thread.
  bool stay(Connection& connection, Exchange::Step step) {
    if (workers.isCrowded()) return false;
    const auto deadline = SteadyClock::now() + kStay;
    return step == Exchange::Step::ReadMore ? connection.stream.waitForBytes(deadline)
                                            : connection.stream.waitForRoom(deadline);
  }

  /// After an answer: whether the next request is there. Otherwise the connection is left or parked.
  bool awaitNext(const std::shared_ptr<Connection>& connection) {
    connection->deadline =
        SteadyClock::now() +
        (connection->exchange->isWithStranger() ? limits.idleOfStranger : limits.idle);
    connection->exchange.reset();
    connection->searched = 0;
    dropEmptyLines(*connection);
    if (connection->headSize()) return true;
    if (!connection->input.empty())
      connection->deadline = std::min(connection->deadline, SteadyClock::now() + limits.headPatience);
    if (!workers.isCrowded() && !connection->stream.waitForBytes(SteadyClock::now() + kStay) && stopping)
      return false;
    WireStream::Outcome wants{};
    const Next next = advance(*connection, wants);
    if (next == Next::Wait) park(connection, wants);
    return next == Next::Request;
  }

  /// In a worker: requests one after the other, as long as they come without much waiting.
  void serveConnection(const std::shared_ptr<Connection>& connection) {
    for (;;) {
      const Exchange::Step step = goOn(*connection);
      if (stopping || step == Exchange::Step::Over) return;
      if (step == Exchange::Step::Drain) return end(connection);
      if (step == Exchange::Step::NextRequest) {
        if (!awaitNext(connection)) return;
        continue;
      }
      connection->deadline = connection->exchange->deadline();
      if (connection->deadline < SteadyClock::now()) return;
      if (stay(*connection, step)) continue;
      return park(connection, step == Exchange::Step::WriteMore ? WireStream::Outcome::WantsWrite
                                                                : WireStream::Outcome::WantsRead);
    }
  }

  void serveSafely(const std::shared_ptr<Connection>& connection) {
    try {
      serveConnection(connection);
    } catch (const std::exception& e) {  // out of memory: this connection ends, the others go on
      logLine(std::string("a connection was ended: ") + e.what());
    }
  }

  void watchAll() {
    std::array<epoll_event, 64> events{};
    auto nextSweep = SteadyClock::now() + 500ms;
    while (!stopping) {
      const int n = ::epoll_wait(poll.number, events.data(), events.size(), waitingCount() == 0 ? 5000 : 500);
      for (int i = 0; i < n && !stopping; ++i) {
        const int socket = events[static_cast<std::size_t>(i)].data.fd;
        const auto listener = std::find_if(listeners.begin(), listeners.end(),
                                           [&](const Listener& l) { return l.socket.number == socket; });
        listener != listeners.end() ? accept(*listener) : look(socket);
      }
      if (SteadyClock::now() < nextSweep) continue;
      nextSweep = SteadyClock::now() + 500ms;
      dropLate();
    }
  }

  Result<int> bind(int port, const std::shared_ptr<SSL_CTX>& tls) {
    int error = 0;
    auto v4 = listenV4(port, error);
    if (!v4)
      return failure(StatusCode::Unavailable, fmt::format("cannot listen on 127.0.0.1:{}", port),
                     errnoStatus("", error).cause, "choose another port");
    const int bound = portOf(v4->number);
    listeners.push_back({std::move(*v4), tls});
    if (auto v6 = listenV6(bound)) listeners.push_back({std::move(*v6), tls});  // "localhost" may mean it
    return bound;
  }
};

HttpFront::HttpFront(Dispatcher& dispatcher, FrontLimits limits, BodyFiles* files)
    : parts_(std::make_unique<Parts>(dispatcher, limits, files)) {}

HttpFront::~HttpFront() {
  stop();
}

Result<int> HttpFront::bind(int port) {
  return parts_->bind(port, nullptr);
}

Result<int> HttpFront::bindTls(int port, std::shared_ptr<SSL_CTX> context) {
  return parts_->bind(port, context);
}

void HttpFront::serve() {
  for (const Listener& listener : parts_->listeners)
    parts_->watch(listener.socket.number, EPOLLIN, EPOLL_CTL_ADD);
  parts_->watch(parts_->wakeUp.number, EPOLLIN, EPOLL_CTL_ADD);
  parts_->watchAll();
  parts_->workers.shutdown();
  const std::lock_guard lock(parts_->mutex);
  parts_->waiting.clear();
}

void HttpFront::stop() {
  parts_->stopping = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(parts_->wakeUp.number, &one, sizeof one);
}

}  // namespace lockstep::rehearsal
