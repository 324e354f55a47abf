// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/peers/peer_watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <sstream>

#include "trainer/ddp/base/sockets.h"

namespace lockstep::trainer {
namespace {

constexpr std::size_t kLongestLine = PeerLink::kLongestLine;
constexpr std::chrono::milliseconds kBeatInterval{1000};
// Where more strangers come than there is room for, the oldest goes; but a rank gets at least so long to say
// its hello.
constexpr std::chrono::milliseconds kMinHelloTime{1000};
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{500};

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

}  // namespace

PeerIdentity ownIdentity() {
  return {0, hostName(), ::getpid(), {}};
}

std::string describe(const PeerIdentity& peer) {
  return fmt::format("rank {} (host {}, pid {})", peer.rank, peer.host, peer.pid);
}

Result<std::unique_ptr<PeerWatch>> PeerWatch::host(Setup setup) {
  std::unique_ptr<PeerWatch> watch(new PeerWatch(std::move(setup), true));
  auto listener = listenAnywhere();
  if (!listener) return failure(listener.error());
  watch->listenFd_ = listener->fd;
  // Who is gone again before we accept must not keep the watch's thread.
  ::fcntl(listener->fd, F_SETFL, ::fcntl(listener->fd, F_GETFL) | O_NONBLOCK);
  watch->port_ = listener->port;
  watch->startThread();
  return watch;
}

Result<std::unique_ptr<PeerWatch>> PeerWatch::attach(Setup setup, const std::string& address, int port) {
  const auto deadline = Steady::now() + setup.silenceLimit;
  auto connected = connectUntil(address, port, deadline);
  if (!connected) return failure(connected.error());
  std::unique_ptr<PeerWatch> watch(new PeerWatch(std::move(setup), false));
  auto connection = std::make_unique<Connection>(connected->fd);
  connection->rank = 0;
  connection->link.send(fmt::format("hello {} {}\n", watch->setup_.rank, watch->setup_.token));
  watch->connections_.push_back(std::move(connection));
  watch->startThread();
  return watch;
}

PeerWatch::~PeerWatch() {
  left_ = true;
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
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
    const auto now = Steady::now();
    if (now - lastBeat_ >= kBeatInterval) {
      lastBeat_ = now;
      if (!left_) beat();
    }
    pollOnce();
    checkSilence();
    forgetWhoLeft();
  }
}

void PeerWatch::beat() {
  const Standing own = setup_.progress == nullptr ? Standing{} : setup_.progress->standing();
  std::string lines = fmt::format("beat {}\n", encode(own));
  if (isHost_) {
    const auto all = standings();
    const auto behind = stragglersAmong(all);
    lines += "behind\n";
    for (const PeerStanding& one : behind) {
      if (lines.size() > kLongestLine / 2) break;  // some names are enough
      lines += fmt::format("behind {} {}\n", one.rank, encode(one.standing));
    }
    if (setup_.onBeat) setup_.onBeat(all);
    const std::lock_guard lock(stragglersMutex_);
    stragglers_ = behind;
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

std::vector<PeerStanding> PeerWatch::stragglers() const {
  const std::lock_guard lock(stragglersMutex_);
  return stragglers_;
}

std::vector<PeerStanding> PeerWatch::lastStandings() const {
  const std::lock_guard lock(stragglersMutex_);
  return standings_;
}

void PeerWatch::sendParameterSum(long long step, std::uint64_t sum) {
  if (!isHost_) return sendToAll(fmt::format("sum {} {}\n", step, sum));
  if (setup_.onParameters) setup_.onParameters(setup_.rank, step, sum);
}

void PeerWatch::arrived(long long collective) {
  const Time now = Steady::now();
  if (isHost_) return countArrival(collective, now);
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
    line = fmt::format("met {} {} {}\n", collective, nanoseconds(*met), nanoseconds(Steady::now()));
  }
  sendToAll(line);
}

std::optional<PeerWatch::Time> PeerWatch::allArrived(long long collective) const {
  const std::lock_guard lock(arrivalsMutex_);
  return lastMet_ == collective ? std::optional(lastMetAt_) : std::nullopt;
}

void PeerWatch::onArrival(Connection& connection, const std::string& verb, const std::string& rest) {
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

std::vector<PeerStanding> stragglersAmong(const std::vector<PeerStanding>& standings) {
  const auto fewer = [](const PeerStanding& a, const PeerStanding& b) {
    return a.standing.collectives < b.standing.collectives;
  };
  const auto [min, max] = std::minmax_element(standings.begin(), standings.end(), fewer);
  std::vector<PeerStanding> found;
  if (min == standings.end() || !fewer(*min, *max)) return found;
  for (const PeerStanding& one : standings) {
    if (one.standing.collectives == min->standing.collectives) found.push_back(one);
  }
  return found;
}

void PeerWatch::pollOnce() {
  std::vector<pollfd> fds;
  if (takesPeers()) fds.push_back({listenFd_, POLLIN, 0});
  const std::size_t first = fds.size();
  for (const auto& connection : connections_) {
    const bool hasUnsent = connection->link.hasUnsent();
    fds.push_back({connection->link.fd(), static_cast<short>(hasUnsent ? POLLIN | POLLOUT : POLLIN), 0});
  }
  if (::poll(fds.data(), fds.size(), 100) <= 0) return;
  for (std::size_t i = first; i < fds.size(); ++i) {
    Connection& connection = *connections_[i - first];
    if ((fds[i].revents & POLLOUT) != 0) connection.link.flush();
    if ((fds[i].revents & ~POLLOUT) != 0) readFrom(connection);
  }
  if (first == 1 && fds[0].revents != 0) acceptPeers();
}

bool PeerWatch::takesPeers() const {
  if (listenFd_ < 0 || Steady::now() < acceptAgain_) return false;
  if (strangers() < kMaxStrangers) return true;
  return std::any_of(connections_.begin(), connections_.end(), [now = Steady::now()](const auto& one) {
    return one->rank < 0 && now - one->since > kMinHelloTime;
  });
}

std::size_t PeerWatch::strangers() const {
  return static_cast<std::size_t>(
      std::count_if(connections_.begin(), connections_.end(), [](const auto& one) { return one->rank < 0; }));
}

// They stand in the order in which they came.
void PeerWatch::dropOldestStranger() {
  const auto oldest =
      std::find_if(connections_.begin(), connections_.end(), [](const auto& one) { return one->rank < 0; });
  const std::lock_guard lock(mutex_);
  if (oldest != connections_.end()) connections_.erase(oldest);
}

void PeerWatch::acceptPeers() {
  if (strangers() >= kMaxStrangers) dropOldestStranger();
  const int fd = ::accept4(listenFd_, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) {
    // The connection stays in the queue, where poll would find it again at once.
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
      acceptAgain_ = Steady::now() + kPauseWithoutDescriptors;
    return;
  }
  auto connection = std::make_unique<Connection>(fd);
  const std::lock_guard lock(mutex_);
  connections_.push_back(std::move(connection));
}

void PeerWatch::forgetWhoLeft() {
  const auto now = Steady::now();
  const std::lock_guard lock(mutex_);
  std::erase_if(connections_, [now](const auto& one) {
    return one->left || (one->rank < 0 && now - one->since > kHelloLimit);
  });
  // Every rank connects once: whoever comes now is none.
  if (listenFd_ < 0 || greeted_.size() + 1 < static_cast<std::size_t>(setup_.worldSize)) return;
  ::close(listenFd_);
  listenFd_ = -1;
}

void PeerWatch::readFrom(Connection& connection) {
  std::vector<std::string> lines;
  const auto state = connection.link.read(lines);
  if (!lines.empty()) connection.heard = Steady::now();
  for (const std::string& line : lines) {
    if (!connection.left) handleLine(connection, line);
  }
  if (state == PeerLink::State::Open || connection.left) return;
  connection.left = true;
  if (connection.rank >= 0) report({connection.rank, Kind::Closed, {}, connection.standing});
}

void PeerWatch::greet(Connection& connection, const std::string& line) {
  std::istringstream words(line);
  std::string verb, token;
  int rank = -1;
  words >> verb >> rank >> token;
  const bool ours = verb == "hello" && token == setup_.token && rank > 0 && rank < setup_.worldSize;
  if (ours && greeted_.insert(rank).second) {
    connection.rank = rank;
  } else {
    connection.left = true;
  }
}

void PeerWatch::handleLine(Connection& connection, const std::string& line) {
  if (connection.rank < 0) return greet(connection, line);
  std::istringstream words(line);
  std::string verb, rest;
  words >> verb;
  if (verb == "here" || verb == "met") {
    std::getline(words, rest);
    onArrival(connection, verb, rest);
  } else if (verb == "sum") {
    long long step = 0;
    std::uint64_t sum = 0;
    if (words >> step >> sum && setup_.onParameters) setup_.onParameters(connection.rank, step, sum);
  } else if (verb == "beat") {
    std::getline(words, rest);
    if (const auto standing = decodeStanding(rest)) connection.standing = standing;
  } else if (verb == "behind") {
    int rank = -1;
    const std::lock_guard lock(stragglersMutex_);
    if (!(words >> rank)) return stragglers_.clear();
    std::getline(words, rest);
    if (const auto standing = decodeStanding(rest)) stragglers_.push_back({rank, *standing});
  } else if (verb == "bye") {
    connection.left = true;
  } else if (verb == "lost" || verb == "last") {
    std::getline(words, rest);
    onLossMessage(verb, rest);
  }
}

void PeerWatch::onLossMessage(const std::string& verb, const std::string& rest) {
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
  const auto now = Steady::now();
  for (const auto& connection : connections_) {
    if (connection->left || connection->rank < 0 || now - connection->heard < setup_.silenceLimit) continue;
    connection->left = true;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(setup_.silenceLimit).count();
    report({connection->rank, Kind::Silent, fmt::format("it has not answered for {} s", seconds),
            connection->standing});
  }
}

void PeerWatch::report(const Loss& loss) {
  if (left_.exchange(true)) return;
  if (isHost_) sendToAll(lossLine(loss));
  if (setup_.onLoss) setup_.onLoss(loss);
}

void PeerWatch::sendToAll(const std::string& line) {
  const std::lock_guard lock(mutex_);
  for (const auto& connection : connections_) {
    if (connection->rank >= 0 && !connection->left) connection->link.send(line);
  }
}

}  // namespace lockstep::trainer
