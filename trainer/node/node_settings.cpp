// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/node_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/clock.h"
#include "base/quote.h"

namespace lockstep::node {
namespace {

constexpr const char* kPyTorch = "PYTORCH";

Result<int> number(const Environment& environment, const std::string& name, int missing, int least,
                   int most) {
  const std::string text = valueOf(environment, name);
  if (text.empty()) return missing;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    return failure(StatusCode::InvalidArgument, fmt::format("the variable {}='{}' is not usable", name, text),
                   fmt::format("it must be a whole number from {} to {}", least, most));
  }
  return value;
}

Result<void> checkKind(const Environment& environment) {
  const std::string kind = valueOf(environment, "OCI__CLUSTER_TYPE", kPyTorch);
  if (kind == kPyTorch) return {};
  return failure(StatusCode::InvalidArgument, fmt::format("OCI__CLUSTER_TYPE='{}' is not usable here", kind),
                 "lockstep-node runs PYTORCH clusters only",
                 "use an image with a node runner for this kind, as `lockstep init` writes one");
}

bool isMultiNode(const Environment& environment) {
  return !valueOf(environment, "CLUSTER_NODES_METADATA_FILE").empty();
}

Result<void> checkRole(const Environment& environment) {
  const std::string mode = valueOf(environment, "OCI__MODE");
  if (mode == "PS") {
    return failure(StatusCode::InvalidArgument, "OCI__MODE='PS' is not usable here",
                   "a PYTORCH cluster has no parameter servers",
                   "remove spec.cluster.spec.ps from the train.yaml");
  }
  if (isMultiNode(environment)) return {};  // the service numbers the nodes
  if (valueOf(environment, "RANK").empty() && mode != "MAIN") {
    return failure(StatusCode::InvalidArgument, "RANK is not set",
                   "it says which node this is: 0 for main, 1, 2… for the workers",
                   "launch the job with `lockstep run` or `ads opctl run`, or set RANK");
  }
  return {};
}

Result<void> readPlace(const Environment& environment, NodeSettings& settings) {
  constexpr int kMany = 1 << 16;
  const bool all = isMultiNode(environment);
  const auto rank = number(environment, all ? "NODE_RANK" : "RANK", 0, 0, kMany);
  const auto count = all ? number(environment, "INITIAL_CLUSTER_SIZE", 1, 1, kMany)
                         : number(environment, "OCI__WORKER_COUNT", 0, 0, kMany);
  if (!rank) return failure(rank.error());
  if (!count) return failure(count.error());
  settings.nodeRank = *rank;
  settings.nodeCount = all ? *count : *count + 1;
  settings.clusterFile = valueOf(environment, "CLUSTER_NODES_METADATA_FILE");
  if (settings.nodeRank < settings.nodeCount) return {};
  return all ? failure(StatusCode::InvalidArgument,
                       fmt::format("NODE_RANK={} does not fit INITIAL_CLUSTER_SIZE={}", *rank, *count), {},
                       "the service counts the nodes from 0")
             : failure(StatusCode::InvalidArgument,
                       fmt::format("RANK={} does not fit OCI__WORKER_COUNT={}", *rank, *count),
                       "the workers are counted from 1 to OCI__WORKER_COUNT");
}

Result<void> readNumbers(const Environment& environment, int gpuCount, NodeSettings& settings) {
  const auto ranks = number(environment, "LOCKSTEP_RANKS_PER_NODE", std::max(1, gpuCount), 1, 1024);
  const auto timeout = number(environment, "OCI__TIMEOUT", 600, 1, 1 << 20);
  const auto port = number(environment, "MASTER_PORT", 0, 1, 65535);
  for (const auto* value : {&ranks, &timeout, &port}) {
    if (!*value) return failure(value->error());
  }
  settings.ranksPerNode = *ranks;
  settings.timeout = std::chrono::seconds(*timeout);
  settings.masterPort = *port;
  return readPlace(environment, settings);
}

Result<void> readTexts(const Environment& environment, NodeSettings& settings) {
  settings.jobId = valueOf(environment, "JOB_OCID", kNoJob);
  settings.jobRunId =
      valueOf(environment, "JOB_RUN_OCID", fmt::format("{}", SystemClock().now().time_since_epoch().count()));
  settings.workDir = valueOf(environment, "OCI__WORK_DIR");
  settings.entryScript = valueOf(environment, "OCI__ENTRY_SCRIPT");
  settings.entryArguments = splitShell(valueOf(environment, "OCI__ENTRY_SCRIPT_ARGS"));
  settings.codeDir = valueOf(environment, "OCI__CODE_DIR", "/code");
  settings.address = valueOf(environment, "LOCKSTEP_NODE_ADDRESS");
  if (valueOf(environment, "PROFILE") == "1") {
    std::istringstream words(valueOf(environment, "PROFILE_CMD"));
    for (std::string word; std::getline(words, word, ' ');) {
      if (!word.empty()) settings.profileCommand.push_back(word);
    }
  }
  if (settings.workDir.empty()) {
    return failure(StatusCode::InvalidArgument, "OCI__WORK_DIR is not set",
                   "it says where the nodes find each other",
                   "set spec.cluster.spec.workDir in the train.yaml");
  }
  if (settings.entryScript.empty()) {
    return failure(StatusCode::InvalidArgument, "OCI__ENTRY_SCRIPT is not set", "it says what to run",
                   "set spec.runtime.spec.entryPoint in the train.yaml");
  }
  return {};
}

}  // namespace

std::string valueOf(const Environment& environment, const std::string& name, const std::string& missing) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? missing : found->second;
}

std::string NodeSettings::defaultName() const {
  return isMain() ? "main" : fmt::format("worker_{}", nodeRank - 1);
}

Result<NodeSettings> nodeSettingsFrom(const Environment& environment, int gpuCount) {
  NodeSettings settings;
  if (auto fits = checkKind(environment); !fits) return failure(fits.error());
  if (auto read = checkRole(environment); !read) return failure(read.error());
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
