// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"

namespace lockstep::trainer {

/// One process of the job, for messages.
struct PeerIdentity {
  int rank = 0;
  std::string host;
  int pid = 0;
  std::string machine;  // equal for processes of one running kernel and network name
};
/// "rank 1 (host vm-2, pid 4711)"
[[nodiscard]] std::string describe(const PeerIdentity& peer);

/// Notices within milliseconds that a rank is gone, and which one: every rank holds a connection to rank 0,
/// which the kernel closes when the process dies, and a beat each second tells a frozen process from a live
/// one. A collective alone would only say that "a" peer closed a connection, and a frozen one would not be
/// noticed at all. Thread-safe. The loss handler runs on the watch's own thread, at most once.
class PeerWatch {
 public:
  enum class Kind { Closed, Failed, Stopped, Silent };
  struct Loss {
    int rank = 0;
    Kind kind = Kind::Closed;
    std::string text;  // what the rank said about itself, if it did
  };
  struct Setup {
    int rank = 0;
    int worldSize = 1;
    std::string token;  // shared secret of this job, so that a stray connection is not taken for a rank
    std::chrono::milliseconds silenceLimit{120'000};
    std::function<void(const Loss&)> onLoss;
  };

  /// Rank 0: listens on a free port of every interface.
  static Result<std::unique_ptr<PeerWatch>> host(Setup setup);
  /// The other ranks.
  static Result<std::unique_ptr<PeerWatch>> attach(Setup setup, const std::string& address, int port);
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;
  ~PeerWatch();

  [[nodiscard]] int port() const { return port_; }
  /// Tells the others that this rank ends, and why; from now on no loss is reported here. nullopt: it is
  /// done.
  void leave(std::optional<Kind> kind, const std::string& text);

 private:
  struct Connection {
    int fd = -1;
    int rank = -1;  // unknown until it has said hello
    bool left = false;
    std::string pending;
    std::chrono::steady_clock::time_point heard;
  };

  explicit PeerWatch(Setup setup) : setup_(std::move(setup)) {}
  void startThread();
  void run(const std::stop_token& stop);
  void pollOnce();
  void acceptPeer();
  void readFrom(Connection& connection);
  void handleLine(Connection& connection, const std::string& line);
  void checkSilence();
  void report(const Loss& loss);
  void sendToAll(const std::string& line);

  Setup setup_;
  int listenFd_ = -1;
  int port_ = 0;
  std::mutex mutex_;  // guards connections_ against leave()
  std::vector<std::unique_ptr<Connection>> connections_;
  std::atomic<bool> left_{false};
  std::chrono::steady_clock::time_point lastBeat_{};
  std::jthread thread_;
};

}  // namespace lockstep::trainer
