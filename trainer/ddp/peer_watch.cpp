// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/peer_watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <sstream>

#include "trainer/ddp/sockets.h"

namespace lockstep::trainer {
namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr std::chrono::milliseconds kBeatInterval{1000};

// Lines between the ranks: "hello RANK TOKEN", "beat", "bye", "lost RANK KIND TEXT".
const char* word(PeerWatch::Kind kind) {
  switch (kind) {
    case PeerWatch::Kind::Closed:
      return "closed";
    case PeerWatch::Kind::Failed:
      return "failed";
    case PeerWatch::Kind::Stopped:
      return "stopped";
    case PeerWatch::Kind::Silent:
      return "silent";
  }
  return "closed";
}

PeerWatch::Kind kindOf(const std::string& text) {
  for (auto kind : {PeerWatch::Kind::Failed, PeerWatch::Kind::Stopped, PeerWatch::Kind::Silent}) {
    if (text == word(kind)) return kind;
  }
  return PeerWatch::Kind::Closed;
}

std::string lossLine(const PeerWatch::Loss& loss) {
  std::string text = loss.text.substr(0, kLongestLine / 2);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return fmt::format("lost {} {} {}\n", loss.rank, word(loss.kind), text);
}

// Lines are far smaller than a socket buffer; a peer that does not even take those is found by its silence.
void sendLine(int fd, const std::string& line) {
  [[maybe_unused]] const ssize_t sent = ::send(fd, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

std::string describe(const PeerIdentity& peer) {
  return fmt::format("rank {} (host {}, pid {})", peer.rank, peer.host, peer.pid);
}

Result<std::unique_ptr<PeerWatch>> PeerWatch::host(Setup setup) {
  std::unique_ptr<PeerWatch> watch(new PeerWatch(std::move(setup)));
  auto listener = listenAnywhere();
  if (!listener) return failure(listener.error());
  watch->listenFd_ = listener->fd;
  watch->port_ = listener->port;
  watch->startThread();
  return watch;
}

Result<std::unique_ptr<PeerWatch>> PeerWatch::attach(Setup setup, const std::string& address, int port) {
  const auto deadline = std::chrono::steady_clock::now() + setup.silenceLimit;
  auto connected = connectUntil(address, port, deadline);
  if (!connected) return failure(connected.error());
  std::unique_ptr<PeerWatch> watch(new PeerWatch(std::move(setup)));
  auto connection = std::make_unique<Connection>();
  connection->fd = connected->fd;
  connection->rank = 0;
  connection->heard = std::chrono::steady_clock::now();
  sendLine(connection->fd, fmt::format("hello {} {}\n", watch->setup_.rank, watch->setup_.token));
  watch->connections_.push_back(std::move(connection));
  watch->startThread();
  return watch;
}

PeerWatch::~PeerWatch() {
  left_ = true;
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  for (const auto& connection : connections_) ::close(connection->fd);
  if (listenFd_ >= 0) ::close(listenFd_);
}

void PeerWatch::startThread() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void PeerWatch::leave(std::optional<Kind> kind, const std::string& text) {
  if (left_.exchange(true)) return;
  if (kind) {
    sendToAll(lossLine({setup_.rank, *kind, text}));
  } else {
    sendToAll("bye\n");
  }
}

void PeerWatch::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto now = std::chrono::steady_clock::now();
    if (now - lastBeat_ >= kBeatInterval) {
      lastBeat_ = now;
      if (!left_) sendToAll("beat\n");
    }
    pollOnce();
    checkSilence();
  }
}

void PeerWatch::pollOnce() {
  std::vector<pollfd> fds;
  if (listenFd_ >= 0) fds.push_back({listenFd_, POLLIN, 0});
  const std::size_t first = fds.size();
  for (const auto& connection : connections_)
    fds.push_back({connection->left ? -1 : connection->fd, POLLIN, 0});
  if (::poll(fds.data(), fds.size(), 100) <= 0) return;
  for (std::size_t i = first; i < fds.size(); ++i) {
    if (fds[i].revents != 0) readFrom(*connections_[i - first]);
  }
  if (first == 1 && fds[0].revents != 0) acceptPeer();
}

void PeerWatch::acceptPeer() {
  const int fd = ::accept4(listenFd_, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) return;
  auto connection = std::make_unique<Connection>();
  connection->fd = fd;
  connection->heard = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  connections_.push_back(std::move(connection));
}

void PeerWatch::readFrom(Connection& connection) {
  char buffer[1024];
  const ssize_t n = ::recv(connection.fd, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    connection.left = true;
    if (connection.rank >= 0) report({connection.rank, Kind::Closed, {}});
    return;
  }
  connection.heard = std::chrono::steady_clock::now();
  connection.pending.append(buffer, static_cast<std::size_t>(n));
  for (std::size_t end; !connection.left && (end = connection.pending.find('\n')) != std::string::npos;) {
    const std::string line = connection.pending.substr(0, end);
    connection.pending.erase(0, end + 1);
    handleLine(connection, line);
  }
  if (connection.pending.size() > kLongestLine) connection.left = true;  // not one of ours
}

void PeerWatch::handleLine(Connection& connection, const std::string& line) {
  std::istringstream words(line);
  std::string verb;
  words >> verb;
  if (connection.rank < 0) {
    int rank = -1;
    std::string token;
    words >> rank >> token;
    const bool ours = verb == "hello" && token == setup_.token && rank > 0 && rank < setup_.worldSize;
    connection.rank = ours ? rank : -1;
    connection.left = !ours;
  } else if (verb == "bye") {
    connection.left = true;
  } else if (verb == "lost") {
    Loss loss;
    std::string kind;
    words >> loss.rank >> kind;
    std::getline(words >> std::ws, loss.text);
    loss.kind = kindOf(kind);
    report(loss);
  }
}

void PeerWatch::checkSilence() {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& connection : connections_) {
    if (connection->left || connection->rank < 0 || now - connection->heard < setup_.silenceLimit) continue;
    connection->left = true;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(setup_.silenceLimit).count();
    report({connection->rank, Kind::Silent, fmt::format("it has not answered for {} s", seconds)});
  }
}

void PeerWatch::report(const Loss& loss) {
  if (left_.exchange(true)) return;
  if (listenFd_ >= 0) sendToAll(lossLine(loss));
  if (setup_.onLoss) setup_.onLoss(loss);
}

void PeerWatch::sendToAll(const std::string& line) {
  const std::lock_guard lock(mutex_);
  for (const auto& connection : connections_) {
    if (connection->rank >= 0 && !connection->left) sendLine(connection->fd, line);
  }
}

}  // namespace lockstep::trainer
