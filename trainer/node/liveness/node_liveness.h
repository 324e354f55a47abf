// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "trainer/node/liveness/connectivity_probe.h"
#include "trainer/node/settings/node_settings.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// Heartbeat record of one node, written to layout::aliveFolder.
struct NodeHeartbeat {
  int node = 0;  // its number in the beginning
  std::string name, jobRun;
  std::string address, answer;  // who connects there is answered with this line
  int port = 0;
  int attempt = 0;
  bool started = false;  // its ranks have been started
  long long count = 0;
};

/// A node that has ended without a word, froze, or is cut off.
struct NodeLoss {
  NodeHeartbeat last;
  std::chrono::seconds silence{0};
  std::string cause;  // why it cannot be reached: "Connection refused"
};

/// Heartbeats between the nodes of a run. Each writes its own every kInterval and looks for the others';
/// one that says nothing new for the silence limit of the settings, and does not answer a connection either,
/// is lost. So neither a slow work dir nor a closed port alone makes a healthy node one that is lost. Within
/// silence + 2 kInterval + kProbeLimit a loss is known everywhere; within some seconds where expedite() was
/// called. Nodes that `ads` runs write none and are not watched.
/// Thread-safe; store and network are only touched by its own thread, except in runsWithoutUs().
class NodeLiveness {
 public:
  static constexpr std::chrono::seconds kInterval{2};
  static constexpr std::chrono::seconds kExpeditedSilence{5};  // after expedite(), instead of the settings'
  static constexpr std::chrono::seconds kRefusedSilence{3};    // the same, where the connection is refused
  static constexpr std::chrono::seconds kProbeLimit{3};

  NodeLiveness(std::shared_ptr<ObjectStore> store, const NodeSettings& settings, std::string name,
               std::string address);
  NodeLiveness(const NodeLiveness&) = delete;
  NodeLiveness& operator=(const NodeLiveness&) = delete;
  /// Takes the own sign away: a node that ends by itself is not lost.
  ~NodeLiveness();

  /// Before start(): whether other nodes train on in a run that has lost this node, which was started again.
  /// Then it must touch nothing. Blocks only where heartbeats are left to be evaluated: until one of those
  /// nodes answers, or for the silence limit.
  Result<bool> runsWithoutUs(Clock& clock, const std::stop_token& stop);
  Result<void> start();

  /// The ranks start: `members` are the nodes of this attempt.
  void beginAttempt(int attempt, const std::vector<int>& members);
  /// Ranks here ended as they do when another is gone: who is it?
  void expedite();
  /// The first node of this attempt that is found to be lost.
  [[nodiscard]] std::optional<NodeLoss> loss() const;
  /// Whether it was found to be lost, and not heard since.
  [[nodiscard]] bool isLost(int node) const;
  /// Lost for good: it has ended by itself, or its machine knows nothing of its agent.
  [[nodiscard]] bool isGone(int node) const;
  /// Something to be said once: a node that answers but whose heartbeats do not arrive.
  std::optional<std::string> popNote();

 private:
  using Steady = std::chrono::steady_clock;
  struct Peer {
    std::string version;
    bool alive = false;    // it has been heard since we listen
    bool present = false;  // its heartbeat is there
    bool lost = false, gone = false;
    bool noted = false;
    std::chrono::nanoseconds silence{0};  // in which we could look
    std::optional<NodeHeartbeat> beat;
  };
  struct Suspect {
    int node = 0;
    NodeHeartbeat beat;
    std::optional<Error> refusal;  // absent: it answers
    [[nodiscard]] bool isRefused() const;
  };
  void run(const std::stop_token& stop);
  void beat(const std::stop_token& stop);
  void look(const std::stop_token& stop);
  void evaluateSuspects(const std::stop_token& stop);
  static void probe(std::vector<Suspect>& suspects);
  [[nodiscard]] std::vector<int> suspects() const;
  void markLost(const Suspect& suspect);
  Result<std::map<int, std::string>> versions(const std::stop_token& stop);
  Result<std::vector<Suspect>> trainingNodes(const std::stop_token& stop);
  Result<std::optional<NodeHeartbeat>> beatOf(int node, const std::stop_token& stop);
  [[nodiscard]] std::string fileOf(int node) const;

  std::shared_ptr<ObjectStore> store_;
  NodeSettings settings_;
  NodeHeartbeat own_;  // attempt and started: guarded by mutex_
  std::unique_ptr<ProbeListener> listener_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  std::map<int, Peer> peers_;
  std::vector<int> members_;
  std::optional<Steady::time_point> lastLook_;
  bool expedited_ = false;
  bool isAwaited_ = false;  // there is something new to say or to look for
  std::optional<NodeLoss> loss_;
  std::optional<std::string> note_;
  std::jthread thread_;
};

}  // namespace lockstep::node
