// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "trainer/ddp/base/progress.h"
#include "trainer/ddp/collectives/arrival_notices.h"
#include "trainer/ddp/peers/peer_link.h"

namespace lockstep::trainer {

/// One process of the job, for messages.
struct PeerIdentity {
  int rank = 0;
  std::string host;
  int pid = 0;
  std::string machine;  // equal for processes of one running kernel and network name
};
/// A process alone: rank 0 of this host.
[[nodiscard]] PeerIdentity ownIdentity();
/// "rank 1 (host vm-2, pid 4711)"
[[nodiscard]] std::string describe(const PeerIdentity& peer);

/// What a rank was doing when it was heard of last.
struct PeerStanding {
  int rank = 0;
  Standing standing;
};

/// Notices within milliseconds that a rank is gone, and which one: every rank holds a connection to rank 0,
/// which the kernel closes when the process dies, and a beat each second tells a frozen process from a live
/// one, and what each is doing. A collective alone would only say that "a" peer closed a connection, and a
/// frozen one would not be noticed at all. Thread-safe. The handlers run on the watch's own thread, the loss
/// handler at most once.
/// Who connects and is no rank of this job is let go, after kHelloLimit at the latest, and there are never
/// more than kMaxStrangers of them; once every rank has come, nobody can connect any more.
class PeerWatch final : public ArrivalNotices {
 public:
  static constexpr std::chrono::seconds kHelloLimit{5};
  static constexpr std::size_t kMaxStrangers = 16;

  enum class Kind { Closed, Failed, Stopped, Silent };
  struct Loss {
    int rank = 0;
    Kind kind = Kind::Closed;
    std::string text;                  // what the rank said about itself, if it did
    std::optional<Standing> standing;  // what it was doing last; never of a rank that spoke for itself
  };
  struct Setup {
    int rank = 0;
    int worldSize = 1;
    std::string token;  // shared secret of this job, so that a stray connection is not taken for a rank
    std::chrono::milliseconds silenceLimit{120'000};
    const Progress* progress = nullptr;  // of this rank; outlives the watch
    std::function<void(const Loss&)> onLoss;
    /// Each second on rank 0, with what is known of every rank that has beaten, itself included.
    std::function<void(const std::vector<PeerStanding>&)> onBeat = {};
    /// On rank 0, of every rank, from any thread: what sendParameterSum() was given there.
    std::function<void(int rank, long long step, std::uint64_t sum)> onParameters = {};
  };

  /// Rank 0: listens on a free port of every interface.
  static Result<std::unique_ptr<PeerWatch>> host(Setup setup);
  /// The other ranks.
  static Result<std::unique_ptr<PeerWatch>> attach(Setup setup, const std::string& address, int port);
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;
  ~PeerWatch() override;

  [[nodiscard]] int port() const { return port_; }
  /// Tells the others that this rank ends, and why; from now on no loss is reported here. nullopt: it is
  /// done.
  void leave(std::optional<Kind> kind, const std::string& text);
  /// The ranks that have begun the fewest collectives, when others have begun more: whom everybody waits for.
  /// Known to every rank, a second late.
  [[nodiscard]] std::vector<PeerStanding> stragglers() const;
  /// On rank 0: what was known of every rank a second ago at most.
  [[nodiscard]] std::vector<PeerStanding> lastStandings() const;
  void sendParameterSum(long long step, std::uint64_t sum);

  void arrived(long long collective) override;
  [[nodiscard]] std::optional<Time> allArrived(long long collective) const override;

 private:
  using Steady = std::chrono::steady_clock;
  // Only the watch's thread changes one; others send on it.
  struct Connection {
    explicit Connection(int fd) : link(fd), since(Steady::now()), heard(since) {}
    PeerLink link;
    std::atomic<int> rank{-1};  // unknown until it has said hello
    std::atomic<bool> left{false};
    Steady::time_point since, heard;
    std::optional<Standing> standing;
    ForeignClock clock;
  };

  PeerWatch(Setup setup, bool isHost) : setup_(std::move(setup)), isHost_(isHost), tally_(setup_.worldSize) {}
  void startThread();
  void run(const std::stop_token& stop);
  void beat();
  void pollOnce();
  [[nodiscard]] bool takesPeers() const;
  void acceptPeers();
  void forgetWhoLeft();
  void dropOldestStranger();
  [[nodiscard]] std::size_t strangers() const;
  void readFrom(Connection& connection);
  void handleLine(Connection& connection, const std::string& line);
  void greet(Connection& connection, const std::string& line);
  void onArrival(Connection& connection, const std::string& verb, const std::string& rest);
  void countArrival(long long collective, Time time);
  void onLossMessage(const std::string& verb, const std::string& rest);
  void checkSilence();
  void report(const Loss& loss);
  void sendToAll(const std::string& line);
  [[nodiscard]] std::vector<PeerStanding> standings() const;

  const Setup setup_;
  const bool isHost_;
  int listenFd_ = -1;  // -1 again once every rank has come
  int port_ = 0;
  std::set<int> greeted_;  // the ranks that have come
  Steady::time_point acceptAgain_{};
  std::mutex mutex_;  // held to change connections_, and by other threads that read it
  std::vector<std::unique_ptr<Connection>> connections_;
  std::atomic<bool> left_{false};
  Steady::time_point lastBeat_{};
  mutable std::mutex arrivalsMutex_;
  ArrivalTally tally_;
  long long lastMet_ = -1;  // the last collective to which all had come
  Time lastMetAt_{};
  mutable std::mutex stragglersMutex_;  // guards the two below
  std::vector<PeerStanding> standings_;
  std::vector<PeerStanding> stragglers_;
  std::optional<PeerStanding> lastOfLost_;  // heard just before the loss itself
  std::jthread thread_;
};

/// Those of `standings` that have begun the fewest collectives; empty when all have begun as many.
[[nodiscard]] std::vector<PeerStanding> stragglersAmong(const std::vector<PeerStanding>& standings);

}  // namespace lockstep::trainer
