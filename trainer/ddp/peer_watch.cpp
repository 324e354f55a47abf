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

// Lines between the ranks: "hello RANK TOKEN", "beat STANDING", "behind RANK STANDING" (from rank 0; no rank:
// nobody is), "here COLLECTIVE SENT" and, from rank 0, "met COLLECTIVE WHEN SENT" (nanoseconds of the
// sender's clock), "sum STEP NUMBER", "bye", "lost RANK KIND TEXT", "last RANK STANDING" (just before lost).
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
  std::string last;
  if (loss.standing) last = fmt::format("last {} {}\n", loss.rank, encode(*loss.standing));
  return last + fmt::format("lost {} {} {}\n", loss.rank, word(loss.kind), text);
}

long long nanoseconds(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

// Lines are far smaller than a socket buffer; a peer that does not even take those is found by its silence.
void sendLine(int fd, const std::string& line) {
  [[maybe_unused]] const ssize_t sent = ::send(fd, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

PeerIdentity ownIdentity() {
  return {0, hostName(), ::getpid(), {}};
}

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
    sendToAll(lossLine({setup_.rank, *kind, text, std::nullopt}));
  } else {
    sendToAll("bye\n");
  }
}

void PeerWatch::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto now = std::chrono::steady_clock::now();
    if (now - lastBeat_ >= kBeatInterval) {
      lastBeat_ = now;
      if (!left_) beat();
    }
    pollOnce();
    checkSilence();
  }
}

void PeerWatch::beat() {
  const Standing own = setup_.progress == nullptr ? Standing{} : setup_.progress->standing();
  std::string lines = fmt::format("beat {}\n", encode(own));
  if (listenFd_ >= 0) {
    const auto all = standings();
    const auto behind = laggardsAmong(all);
    lines += "behind\n";
    for (const PeerStanding& one : behind) {
      if (lines.size() > kLongestLine / 2) break;  // some names are enough
      lines += fmt::format("behind {} {}\n", one.rank, encode(one.standing));
    }
    if (setup_.onBeat) setup_.onBeat(all);
    const std::lock_guard lock(laggardsMutex_);
    laggards_ = behind;
    standings_ = all;
  }
  sendToAll(lines);
}

std::vector<PeerStanding> PeerWatch::standings() const {
  std::vector<PeerStanding> all;
  if (setup_.progress != nullptr) all.push_back({setup_.rank, setup_.progress->standing()});
  for (const auto& connection : connections_) {
    if (connection->rank >= 0 && !connection->left && connection->standing)
      all.push_back({connection->rank, *connection->standing});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  return all;
}

std::vector<PeerStanding> PeerWatch::laggards() const {
  const std::lock_guard lock(laggardsMutex_);
  return laggards_;
}

std::vector<PeerStanding> PeerWatch::lastStandings() const {
  const std::lock_guard lock(laggardsMutex_);
  return standings_;
}

void PeerWatch::tellParameters(long long step, std::uint64_t sum) {
  if (listenFd_ < 0) return sendToAll(fmt::format("sum {} {}\n", step, sum));
  if (setup_.onParameters) setup_.onParameters(setup_.rank, step, sum);
}

void PeerWatch::arrived(long long collective) {
  const Time now = std::chrono::steady_clock::now();
  if (listenFd_ >= 0) return countArrival(collective, now);
  sendToAll(fmt::format("here {} {}\n", collective, nanoseconds(now)));
}

void PeerWatch::countArrival(long long collective, Time time) {
  std::string line;
  {
    const std::lock_guard lock(arrivalsMutex_);
    const auto met = tally_.add(collective, time);
    if (!met) return;
    lastMet_ = collective;
    lastMetAt_ = *met;
    line = fmt::format("met {} {} {}\n", collective, nanoseconds(*met),
                       nanoseconds(std::chrono::steady_clock::now()));
  }
  sendToAll(line);
}

std::optional<PeerWatch::Time> PeerWatch::allArrived(long long collective) const {
  const std::lock_guard lock(arrivalsMutex_);
  return lastMet_ == collective ? std::optional(lastMetAt_) : std::nullopt;
}

void PeerWatch::hearArrival(Connection& connection, const std::string& verb, const std::string& rest) {
  std::istringstream words(rest);
  long long collective = 0, when = 0, sent = 0;
  if (verb == "here" && words >> collective >> sent) {
    connection.clock.hear(sent, connection.heard);
    countArrival(collective, connection.clock.here(sent));
  } else if (verb == "met" && words >> collective >> when >> sent) {
    connection.clock.hear(sent, connection.heard);
    const std::lock_guard lock(arrivalsMutex_);
    lastMet_ = collective;
    lastMetAt_ = connection.clock.here(when);
  }
}

std::vector<PeerStanding> laggardsAmong(const std::vector<PeerStanding>& standings) {
  const auto fewer = [](const PeerStanding& a, const PeerStanding& b) {
    return a.standing.collectives < b.standing.collectives;
  };
  const auto [least, most] = std::minmax_element(standings.begin(), standings.end(), fewer);
  std::vector<PeerStanding> found;
  if (least == standings.end() || !fewer(*least, *most)) return found;
  for (const PeerStanding& one : standings) {
    if (one.standing.collectives == least->standing.collectives) found.push_back(one);
  }
  return found;
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
    if (connection.rank >= 0) report({connection.rank, Kind::Closed, {}, connection.standing});
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

void PeerWatch::greet(Connection& connection, const std::string& line) const {
  std::istringstream words(line);
  std::string verb, token;
  int rank = -1;
  words >> verb >> rank >> token;
  const bool ours = verb == "hello" && token == setup_.token && rank > 0 && rank < setup_.worldSize;
  connection.rank = ours ? rank : -1;
  connection.left = !ours;
}

void PeerWatch::handleLine(Connection& connection, const std::string& line) {
  if (connection.rank < 0) return greet(connection, line);
  std::istringstream words(line);
  std::string verb, rest;
  words >> verb;
  if (verb == "here" || verb == "met") {
    std::getline(words, rest);
    hearArrival(connection, verb, rest);
  } else if (verb == "sum") {
    long long step = 0;
    std::uint64_t sum = 0;
    if (words >> step >> sum && setup_.onParameters) setup_.onParameters(connection.rank, step, sum);
  } else if (verb == "beat") {
    std::getline(words, rest);
    if (const auto standing = decodeStanding(rest)) connection.standing = standing;
  } else if (verb == "behind") {
    int rank = -1;
    const std::lock_guard lock(laggardsMutex_);
    if (!(words >> rank)) return laggards_.clear();
    std::getline(words, rest);
    if (const auto standing = decodeStanding(rest)) laggards_.push_back({rank, *standing});
  } else if (verb == "bye") {
    connection.left = true;
  } else if (verb == "lost" || verb == "last") {
    std::getline(words, rest);
    hearLoss(verb, rest);
  }
}

void PeerWatch::hearLoss(const std::string& verb, const std::string& rest) {
  std::istringstream words(rest);
  Loss loss;
  std::string kind, standing;
  words >> loss.rank;
  if (verb == "last") {
    std::getline(words, standing);
    if (const auto known = decodeStanding(standing)) lastOfLost_ = PeerStanding{loss.rank, *known};
    return;
  }
  words >> kind;
  std::getline(words >> std::ws, loss.text);
  loss.kind = kindOf(kind);
  if (lastOfLost_ && lastOfLost_->rank == loss.rank) loss.standing = lastOfLost_->standing;
  report(loss);
}

void PeerWatch::checkSilence() {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& connection : connections_) {
    if (connection->left || connection->rank < 0 || now - connection->heard < setup_.silenceLimit) continue;
    connection->left = true;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(setup_.silenceLimit).count();
    report({connection->rank, Kind::Silent, fmt::format("it has not answered for {} s", seconds),
            connection->standing});
  }
}

void PeerWatch::report(Loss loss) {
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
