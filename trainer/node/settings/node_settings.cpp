// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/settings/node_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/child_process.h"
#include "base/clock.h"
#include "base/text/quote.h"

namespace lockstep::node {
namespace {

Result<Framework> readKind(const Environment& environment) {
  const std::string kind = environmentValue(environment, "OCI__CLUSTER_TYPE", "PYTORCH");
  const FrameworkTraits& traits = traitsOf(frameworkNamed(kind));
  if (traits.runsOnNode && traits.name == kind) return traits.framework;
  return failure(
      ErrorCode::InvalidArgument, fmt::format("OCI__CLUSTER_TYPE='{}' is not usable here", kind),
      fmt::format("lockstep-node runs {} clusters",
                  frameworkNames("and", [](const FrameworkTraits& row) { return row.runsOnNode; })),
      "use an image with a node runner for this kind, as `lockstep init` writes one");
}

bool isMultiNode(const Environment& environment) {
  return !environmentValue(environment, "CLUSTER_NODES_METADATA_FILE").empty();
}

Result<void> checkMode(const std::string& mode, Framework framework) {
  if (mode != "PS" || traitsOf(framework).hasParameterServers) return {};
  return failure(
      ErrorCode::InvalidArgument, "OCI__MODE='PS' is not usable here",
      fmt::format("only a {} cluster has parameter servers",
                  frameworkNames("or", [](const FrameworkTraits& row) { return row.hasParameterServers; })),
      "remove spec.cluster.spec.ps from the train.yaml");
}

Result<void> checkRole(const Environment& environment, Framework framework) {
  const std::string mode = environmentValue(environment, "OCI__MODE");
  if (auto fits = checkMode(mode, framework); !fits) return fits;
  if (isMultiNode(environment)) return {};  // the service numbers the nodes
  const bool numbered =
      !environmentValue(environment, "RANK").empty() || !environmentValue(environment, "NODE_RANK").empty();
  if (!numbered && mode != "MAIN" && mode != "PS") {
    return failure(ErrorCode::InvalidArgument, "neither RANK nor NODE_RANK is set",
                   "it says which node this is: 0 for main, 1, 2… for the workers",
                   "launch the job with `lockstep run` or `ads opctl run`, or set RANK");
  }
  return {};
}

// Where nodes have ranks they decide; with the others a node is what it was launched as.
Result<void> readRole(const Environment& environment, NodeSettings& settings) {
  const std::string mode = environmentValue(environment, "OCI__MODE");
  settings.role = settings.nodeRank == 0 ? NodeRole::Main : NodeRole::Worker;
  if (traitsOf(settings.framework).work == NodeWork::Ranks || mode.empty()) return {};
  if (mode == "PS") settings.role = NodeRole::ParameterServer;
  if ((mode == "MAIN") == (settings.nodeRank == 0)) return {};
  return failure(ErrorCode::InvalidArgument,
                 fmt::format("OCI__MODE='{}' does not fit node {}", mode, settings.nodeRank),
                 "the main node is node 0, and no other is", "set RANK (NODE_RANK) of the main node to 0");
}

Result<void> readPlace(const Environment& environment, NodeSettings& settings) {
  constexpr int kMany = 1 << 16;
  const bool all = isMultiNode(environment);
  // `ads` numbers with RANK, its newer jobs and the service with NODE_RANK (ads-contract 2.3, 5.2).
  const char* rankName = all || environmentValue(environment, "RANK").empty() ? "NODE_RANK" : "RANK";
  const bool servers = traitsOf(settings.framework).hasParameterServers;
  const auto ps = numberOf(environment, servers ? "OCI__PS_COUNT" : "", 0, 0, kMany);
  const auto workers = numberOf(environment, "OCI__WORKER_COUNT", 0, 0, kMany);
  if (!ps) return failure(ps.error());
  if (!workers) return failure(workers.error());
  settings.isNumbered =
      environmentValue(environment, "OCI__MODE") != "PS" || !environmentValue(environment, rankName).empty();
  const auto rank = numberOf(environment, rankName, settings.isNumbered ? 0 : *workers + 1, 0, kMany);
  const auto nodes = numberOf(environment, "NODE_COUNT", *workers + *ps + 1, 1, kMany);
  const auto size = numberOf(environment, "INITIAL_CLUSTER_SIZE", nodes ? *nodes : 1, 1, kMany);
  if (!nodes) return failure(nodes.error());
  if (!size) return failure(size.error());
  const bool counted = environmentValue(environment, "OCI__WORKER_COUNT").empty();
  const int count = all ? *size : (counted ? *nodes : *workers + *ps + 1);
  if (!rank) return failure(rank.error());
  settings.nodeRank = *rank;
  settings.nodeCount = count;
  settings.serverCount = *ps;
  settings.clusterFile = environmentValue(environment, "CLUSTER_NODES_METADATA_FILE");
  if (settings.nodeRank < settings.nodeCount) return readRole(environment, settings);
  const char* countName =
      all ? "INITIAL_CLUSTER_SIZE" : (counted && *nodes > 1 ? "NODE_COUNT" : "OCI__WORKER_COUNT");
  return failure(ErrorCode::InvalidArgument,
                 fmt::format("{}={} does not fit {} ({} nodes)", rankName, *rank, countName, count), {},
                 "the nodes are counted from 0, and the main node is 0");
}

Result<void> readNumbers(const Environment& environment, int gpuCount, NodeSettings& settings) {
  const auto ranks = numberOf(environment, "LOCKSTEP_RANKS_PER_NODE", std::max(1, gpuCount), 1, 1024);
  const auto timeout = numberOf(environment, "OCI__TIMEOUT", 600, 1, 1 << 20);
  const auto port = numberOf(environment, "MASTER_PORT", 0, 1, 65535);
  const auto restarts = numberOf(environment, "LOCKSTEP_MAX_RESTARTS", 0, 0, 1000);
  const auto fewest = numberOf(environment, "LOCKSTEP_MIN_NODES", 0, 1, 1 << 16);
  const auto wait = numberOf(environment, "LOCKSTEP_RESTART_WAIT", 60, 1, 1 << 20);
  const auto silence = numberOf(environment, "LOCKSTEP_NODE_SILENCE", 20, 5, 1 << 20);
  const auto sleep = numberOf(environment, "SYNC_SLEEP", 60, 1, 1 << 20);
  const auto code = numberOf(environment, "LOCKSTEP_GIT_TIMEOUT", 1800, 1, 1 << 20);
  for (const auto* value : {&ranks, &timeout, &port, &restarts, &fewest, &wait, &silence, &sleep, &code}) {
    if (!*value) return failure(value->error());
  }
  settings.ranksPerNode = *ranks;
  settings.timeout = std::chrono::seconds(*timeout);
  settings.masterPort = *port;
  settings.maxRestarts = *restarts;
  settings.minNodes = *fewest;
  settings.restartWait = std::chrono::seconds(*wait);
  settings.nodeSilence = std::chrono::seconds(*silence);
  settings.codeLimit = std::chrono::seconds(*code);
  settings.syncInterval = std::chrono::seconds(*sleep);
  return readPlace(environment, settings);
}

Result<void> readTexts(const Environment& environment, NodeSettings& settings) {
  settings.jobId = environmentValue(environment, "JOB_OCID", kNoJob);
  settings.jobRunId = environmentValue(environment, "JOB_RUN_OCID",
                                       fmt::format("{}", SystemClock().now().time_since_epoch().count()));
  settings.workDir = environmentValue(environment, "OCI__WORK_DIR");
  settings.entryScript = environmentValue(environment, "OCI__ENTRY_SCRIPT");
  settings.entryArguments = splitShell(environmentValue(environment, "OCI__ENTRY_SCRIPT_ARGS"));
  settings.startArguments = splitShell(environmentValue(environment, "OCI__START_ARGS"));
  if (traitsOf(settings.framework).readsKwargs) {  // the others have another use for them, or none
    const auto more = splitShell(environmentValue(environment, "OCI__ENTRY_SCRIPT_KWARGS"));
    settings.entryArguments.insert(settings.entryArguments.end(), more.begin(), more.end());
  }
  settings.codeDir = environmentValue(environment, "OCI__CODE_DIR", "/code");
  settings.address = environmentValue(environment, "LOCKSTEP_NODE_ADDRESS");
  settings.testReach = environmentValue(environment, "LOCKSTEP_REACH_TEST", "1") != "0";
  if (environmentValue(environment, "SYNC_ARTIFACTS") == "1")
    settings.syncFolder = environmentValue(environment, "OCI__SYNC_DIR", "/opt/ml");
  if (environmentValue(environment, "PROFILE") == "1") {
    std::istringstream words(environmentValue(environment, "PROFILE_CMD"));
    for (std::string word; std::getline(words, word, ' ');) {
      if (!word.empty()) settings.profileCommand.push_back(word);
    }
  }
  if (settings.workDir.empty()) {
    return failure(ErrorCode::InvalidArgument, "OCI__WORK_DIR is not set",
                   "it says where the nodes find each other",
                   "set spec.cluster.spec.workDir in the train.yaml");
  }
  if (settings.entryScript.empty()) {
    return failure(ErrorCode::InvalidArgument, "OCI__ENTRY_SCRIPT is not set", "it says what to run",
                   "set spec.runtime.spec.entryPoint in the train.yaml");
  }
  return {};
}

}  // namespace

Result<int> numberOf(const Environment& environment, const std::string& name, int missing, int min, int max) {
  const std::string text = environmentValue(environment, name);
  if (text.empty()) return missing;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < min || value > max) {
    return failure(ErrorCode::InvalidArgument, fmt::format("the variable {}='{}' is not usable", name, text),
                   fmt::format("it must be a whole number from {} to {}", min, max));
  }
  return value;
}

std::string NodeSettings::defaultName() const {
  if (isMain()) return "main";
  if (role != NodeRole::ParameterServer) return fmt::format("worker_{}", nodeRank - 1);
  return isNumbered ? fmt::format("ps_{}", nodeRank - 1 - workerCount()) : "ps";
}

Result<NodeSettings> nodeSettingsFrom(const Environment& environment, int gpuCount) {
  NodeSettings settings;
  const auto kind = readKind(environment);
  if (!kind) return failure(kind.error());
  settings.framework = *kind;
  if (auto read = checkRole(environment, *kind); !read) return failure(read.error());
  if (auto read = readNumbers(environment, gpuCount, settings); !read) return failure(read.error());
  if (auto read = readTexts(environment, settings); !read) return failure(read.error());
  return settings;
}

int visibleGpuCount() {
  int count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", error)) {
    const std::string name = entry.path().filename().string();
    const bool numbered = name.size() > 6 && std::all_of(name.begin() + 6, name.end(), [](unsigned char c) {
                            return c >= '0' && c <= '9';
                          });
    if (name.starts_with("nvidia") && numbered) ++count;
  }
  return count;
}

}  // namespace lockstep::node
