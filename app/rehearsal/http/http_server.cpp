// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/http_server.h"

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

#include "rehearsal/http/connection.h"
#include "rehearsal/http/loopback_sockets.h"
#include "rehearsal/http/worker_threads.h"
#include "rehearsal/support/region_log.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// How long a thread stays with a connection for its next request, before that costs a change of threads.
constexpr auto kStay = 20ms;
constexpr std::size_t kMaxDiscarded = 16 << 20;  // of what somebody sends after the last answer

struct Listener {
  OpenSocket socket;
  std::shared_ptr<SSL_CTX> tls;
};

// Connections must leave descriptors for objects, logs and runs, however many strangers there are.
HttpServerLimits withinDescriptors(HttpServerLimits limits) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY)
    limits.maxConnections =
        std::min<std::size_t>(limits.maxConnections, static_cast<std::size_t>(files.rlim_cur) * 5 / 8);
  return limits;
}

}  // namespace

struct HttpServer::Parts {
  Parts(Dispatcher& d, HttpServerLimits l, BodyFiles* f)
      : limits(withinDescriptors(l)),
        memory(l.maxBodyMemory),
        shared{d, limits, f, memory, stopping},
        poll(::epoll_create1(EPOLL_CLOEXEC)),
        wakeUp(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

  const HttpServerLimits limits;
  std::atomic<bool> stopping{false};
  BodyMemory memory;
  const ExchangeContext shared;
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
  void park(std::shared_ptr<Connection> connection, SocketStream::Outcome wants, bool isNew = false) {
    const int socket = connection->stream.socket();
    const std::uint32_t events = wants == SocketStream::Outcome::WantsWrite ? EPOLLOUT : EPOLLIN;
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
      SocketStream::Ssl tls(listener.tls ? SSL_new(listener.tls.get()) : nullptr, SSL_free);
      auto connection = std::make_shared<Connection>(socket, std::move(tls), stopping);
      connection->deadline = SteadyClock::now() + limits.headTimeout;
      if (waitingCount() >= limits.maxConnections) dropOldest();
      park(std::move(connection), SocketStream::Outcome::WantsRead, true);
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
  Next advance(Connection& connection, SocketStream::Outcome& wants) {
    if (!connection.isOpen) {
      wants = connection.stream.handshake();
      if (wants == SocketStream::Outcome::Closed) return Next::Gone;
      if (wants != SocketStream::Outcome::Done) return Next::Wait;
      connection.isOpen = true;
    }
    const bool wasEmpty = connection.input.empty();
    wants = connection.stream.readSome(connection.input, kMaxHeadBytes + 1);
    dropEmptyLines(connection);
    if (connection.headSize() || connection.input.size() > kMaxHeadBytes || greetsInTls(connection))
      return Next::Request;
    if (wants == SocketStream::Outcome::Closed) return Next::Gone;
    if (wasEmpty && !connection.input.empty()) connection.deadline = SteadyClock::now() + limits.headTimeout;
    return Next::Wait;
  }

  void look(int socket) {
    auto connection = take(socket);
    if (!connection) return;
    if (connection->isEnding) return throwAway(std::move(connection));
    if (connection->exchange) return workers.enqueue([this, connection] { serveSafely(connection); });
    SocketStream::Outcome wants{};
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
    if (connection->stream.discard(kMaxDiscarded - connection->discarded, connection->discarded) ==
            SocketStream::Outcome::Closed ||
        connection->discarded >= kMaxDiscarded)
      return;
    park(std::move(connection), SocketStream::Outcome::WantsRead);
  }

  void end(std::shared_ptr<Connection> connection) {
    connection->exchange.reset();
    connection->isEnding = true;
    connection->deadline = SteadyClock::now() + limits.drain;
    connection->stream.endWriting();
    throwAway(std::move(connection));
  }

  HttpExchange::Step goOn(Connection& connection) {
    if (connection.exchange) return connection.exchange->resume();
    connection.exchange = std::make_unique<HttpExchange>(connection.stream, connection.input, shared);
    const auto size = connection.headSize();
    // docker tries https at every registry first, and goes on in clear when it is answered in clear.
    if (!size && greetsInTls(connection))
      return connection.exchange->refuse({400, "InvalidParameter", "This port speaks http, not https."});
    if (!size || *size > kMaxHeadBytes)
      return connection.exchange->refuse(
          {431, "RequestHeaderFieldsTooLarge", "The headers of the request are too large."});
    return connection.exchange->begin(*size);
  }

  /// Waits a moment for what a request in the middle needs, when no other wants the thread.
  bool stay(Connection& connection, HttpExchange::Step step) {
    if (workers.isCrowded()) return false;
    const auto deadline = SteadyClock::now() + kStay;
    return step == HttpExchange::Step::ReadMore ? connection.stream.waitForBytes(deadline)
                                                : connection.stream.waitForRoom(deadline);
  }

  /// After an answer: whether the next request is there. Otherwise the connection is left or parked.
  bool awaitNext(const std::shared_ptr<Connection>& connection) {
    connection->deadline =
        SteadyClock::now() + (connection->exchange->isWithStranger() ? limits.strangerIdle : limits.idle);
    connection->exchange.reset();
    connection->searched = 0;
    dropEmptyLines(*connection);
    if (connection->headSize()) return true;
    if (!connection->input.empty())
      connection->deadline = std::min(connection->deadline, SteadyClock::now() + limits.headTimeout);
    if (!workers.isCrowded() && !connection->stream.waitForBytes(SteadyClock::now() + kStay) && stopping)
      return false;
    SocketStream::Outcome wants{};
    const Next next = advance(*connection, wants);
    if (next == Next::Wait) park(connection, wants);
    return next == Next::Request;
  }

  /// In a worker: requests one after the other, as long as they come without much waiting.
  void serveConnection(const std::shared_ptr<Connection>& connection) {
    for (;;) {
      const HttpExchange::Step step = goOn(*connection);
      if (stopping || step == HttpExchange::Step::Over) return;
      if (step == HttpExchange::Step::Drain) return end(connection);
      if (step == HttpExchange::Step::NextRequest) {
        if (!awaitNext(connection)) return;
        continue;
      }
      connection->deadline = connection->exchange->deadline();
      if (connection->deadline < SteadyClock::now()) return;
      if (stay(*connection, step)) continue;
      return park(connection, step == HttpExchange::Step::WriteMore ? SocketStream::Outcome::WantsWrite
                                                                    : SocketStream::Outcome::WantsRead);
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
    auto sockets = listenOnLoopback(port);
    if (!sockets) return failure(sockets.error());
    for (OpenSocket& socket : sockets->sockets) listeners.push_back({std::move(socket), tls});
    return sockets->port;
  }
};

HttpServer::HttpServer(Dispatcher& dispatcher, HttpServerLimits limits, BodyFiles* files)
    : parts_(std::make_unique<Parts>(dispatcher, limits, files)) {}

HttpServer::~HttpServer() {
  stop();
}

Result<int> HttpServer::bind(int port) {
  return parts_->bind(port, nullptr);
}

Result<int> HttpServer::bindTls(int port, const std::shared_ptr<SSL_CTX>& context) {
  return parts_->bind(port, context);
}

void HttpServer::serve() {
  for (const Listener& listener : parts_->listeners)
    parts_->watch(listener.socket.number, EPOLLIN, EPOLL_CTL_ADD);
  parts_->watch(parts_->wakeUp.number, EPOLLIN, EPOLL_CTL_ADD);
  parts_->watchAll();
  parts_->workers.shutdown();
  const std::lock_guard lock(parts_->mutex);
  parts_->waiting.clear();
}

void HttpServer::stop() {
  parts_->stopping = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(parts_->wakeUp.number, &one, sizeof one);
}

}  // namespace lockstep::rehearsal
