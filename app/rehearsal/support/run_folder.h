// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace lockstep::rehearsal {

/// The folder of one node of a job run, which region and supervisor share:
///   spec.json        what to execute (0600, since variables may hold secrets)
///   supervisor.json  which process supervises; written by it before it starts anything
///   lock             held by the supervisor while it lives, so that there is never a second one
///   started.json     the program runs and, where there is a startup probe, the probe has succeeded
///   output           captured lines, append only: "<ms since epoch> o|e <text>\n"
///   metrics          samples of the node's processes, append only (node_sampler.h)
///   ended.json       how it ended; written last, when every process is gone and every line captured
///   work/            the node's own directory and HOME
///   root/            where an isolated node that finds code at /code gets its root (node_root.h); empty
struct NodeFolder {
  std::filesystem::path path;
  [[nodiscard]] std::filesystem::path spec() const { return path / "spec.json"; }
  [[nodiscard]] std::filesystem::path supervisor() const { return path / "supervisor.json"; }
  [[nodiscard]] std::filesystem::path lock() const { return path / "lock"; }
  [[nodiscard]] std::filesystem::path started() const { return path / "started.json"; }
  [[nodiscard]] std::filesystem::path output() const { return path / "output"; }
  [[nodiscard]] std::filesystem::path metrics() const { return path / "metrics"; }
  [[nodiscard]] std::filesystem::path ended() const { return path / "ended.json"; }
  [[nodiscard]] std::filesystem::path work() const { return path / "work"; }
  [[nodiscard]] std::filesystem::path root() const { return path / "root"; }
};

/// The folder of a job run: runs/<last part of its OCID>. A run of one node has the node's files in it; the
/// nodes of a multi-node run have nodes/<rank>/ each.
///   principal/    resource principal: token and session key (0600), for all nodes
///   cluster.json  what CLUSTER_NODES_METADATA_FILE names
struct RunFolder {
  std::filesystem::path path;
  [[nodiscard]] std::filesystem::path token() const { return path / "principal" / "rpst"; }
  [[nodiscard]] std::filesystem::path sessionKey() const { return path / "principal" / "session.pem"; }
  [[nodiscard]] std::filesystem::path cluster() const { return path / "cluster.json"; }
  [[nodiscard]] NodeFolder onlyNode() const { return {path}; }
  [[nodiscard]] NodeFolder node(int rank) const { return {path / "nodes" / std::to_string(rank)}; }
};
/// The folders of nodes that are there.
[[nodiscard]] std::vector<NodeFolder> nodeFoldersOf(const RunFolder& folder);

/// A command that tells whether the node is ready for others (startupProbeDetails).
struct StartupProbe {
  std::vector<std::string> command;
  std::chrono::milliseconds initialDelay{0};
  std::chrono::milliseconds period{10'000};
  int failureThreshold = 3;  // after so many failures in a row the node has failed
};

/// What a fault does to every process of a node.
struct NodeStrike {
  int signal = 0;  // SIGKILL, SIGSTOP
  std::chrono::milliseconds after{0};
};

struct NodeTask {
  std::string runId;  // also in the environment as JOB_RUN_OCID, by which stray processes are found
  int node = 0;       // rank; also in the environment (kNodeVariable) of a multi-node run
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  std::chrono::milliseconds grace{10000};
  std::chrono::milliseconds maximumRuntime{0};  // 0: none
  nlohmann::json network;                       // NodeAttachment::spec; null: the network of the machine
  std::optional<StartupProbe> probe;
  std::optional<NodeStrike> strike;
  std::chrono::milliseconds sampleInterval{5000};
  std::filesystem::path diskFullMark;  // while this file exists the disk takes no lines
  std::filesystem::path code;          // what the node finds at /code; empty: nothing
};
Result<void> writeSpec(const NodeFolder& folder, const NodeTask& spec);
Result<NodeTask> readSpec(const NodeFolder& folder);

/// A process that a number alone could confuse with a later one.
struct ProcessMark {
  pid_t pid = 0;
  unsigned long long startTicks = 0;  // field 22 of /proc/PID/stat
};
std::optional<ProcessMark> markOf(pid_t pid);
[[nodiscard]] bool isAlive(const ProcessMark& mark);  // a zombie is not
/// To that process and to no later one of its number. False: it is gone, or not ours.
bool signalProcess(const ProcessMark& mark, int signal);
Result<void> writeSupervisor(const NodeFolder& folder, const ProcessMark& mark);
std::optional<ProcessMark> readSupervisor(const NodeFolder& folder);

struct NodeEnd {
  enum class Why { Exited, Canceled, TimedOut, CannotStart, NotReady };
  Why why = Why::Exited;
  int exitCode = 0;
  int signal = 0;
  std::string problem;      // CannotStart, NotReady: why
  long long linesLost = 0;  // that the disk did not take
  long long time = 0;       // ms since the epoch
};
Result<void> writeEnd(const NodeFolder& folder, const NodeEnd& end);
std::optional<NodeEnd> readEnd(const NodeFolder& folder);

}  // namespace lockstep::rehearsal
