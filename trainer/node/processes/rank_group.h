// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.h"
#include "base/error.h"
#include "trainer/node/processes/line_pump.h"

namespace lockstep::node {

struct RankSpec {
  int rank = 0;
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  /// Goes in front of its lines as "[label] "; empty: "[rank N] " where ranks share a place.
  std::string label = {};
};

/// How one rank of this node ended.
struct RankEnd {
  int rank = 0;
  ProcessExit exit;
  std::string lastLine;  // the last thing it printed, stderr before stdout
};

/// The training processes of this node, each with its own process group, and their output on its way to ours.
/// They die with this process. One thread.
class RankGroup {
 public:
  /// Gets what a rank has written to stdout or stderr, as it was read. Must not wait.
  using OutputListener = std::function<void(int rank, std::string_view bytes)>;

  RankGroup() = default;
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;
  /// Kills what still runs.
  ~RankGroup();

  /// Fails when a program cannot be executed; those started before it then still run.
  /// `prefixed`: every line begins with "[rank N] ", because ranks share the place where they are read.
  Result<void> start(const std::vector<RankSpec>& specs, bool prefixed);
  /// From the next start() on; lives longer than this object.
  void setListener(OutputListener listener) { listener_ = std::move(listener); }
  /// Forwards output and collects ends for at most `time`.
  void pump(std::chrono::milliseconds time);
  [[nodiscard]] bool allEnded() const;
  /// How that one ended; nullopt while it runs.
  [[nodiscard]] std::optional<RankEnd> endOf(int rank) const;
  /// The rank that ended first with something else than success; nullopt while there is none.
  [[nodiscard]] const std::optional<RankEnd>& firstFailure() const { return firstFailure_; }
  /// Of those that have not been waited for.
  [[nodiscard]] std::vector<pid_t> pids() const;
  /// Of a rank that was started; 0: there is none, or it has ended.
  [[nodiscard]] pid_t pidOf(int rank) const;
  /// To every process that the ranks started, too.
  void signalAll(int signal) const;

 private:
  struct Stream {
    int fd = -1;
    LinePump pump;
  };
  struct Member {
    int rank = 0;
    ChildProcess process;
    std::vector<Stream> streams;  // stdout, stderr
    std::optional<RankEnd> end = {};
  };
  Result<void> startOne(const RankSpec& spec, bool prefixed);
  void readStream(int rank, Stream& stream) const;
  void collect(Member& member);

  std::vector<Member> members_;
  std::optional<RankEnd> firstFailure_;
  OutputListener listener_;
};

}  // namespace lockstep::node
