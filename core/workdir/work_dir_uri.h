// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"

namespace lockstep {

/// `oci://bucket@namespace/prefix`, `file:///absolute/path` or a plain absolute path.
struct WorkDirUri {
  enum class Scheme { Oci, File };
  Scheme scheme = Scheme::Oci;
  std::string bucket, nameSpace;  // Oci
  std::string prefix;             // Oci: without slashes at either end; File: the absolute path
  [[nodiscard]] std::string toString() const;
};
[[nodiscard]] Result<WorkDirUri> parseWorkDirUri(std::string_view text);

/// Where things lie below a work dir (docs/formats/work-dir.md). The first four as `ads` writes
/// them. All names are relative to the work dir.
namespace layout {
[[nodiscard]] std::string jobFolder(const std::string& jobId);   // "<job>/"
[[nodiscard]] std::string mainConfig(const std::string& jobId);  // "<job>/MAIN_config.json"
[[nodiscard]] std::string workerConfig(const std::string& jobId,
                                       const std::string& runId);  // "<job>/WORKER_<run>_config.json"
[[nodiscard]] std::string stopFile(const std::string& jobId);      // "<job>/stop"
[[nodiscard]] std::string failureFile(
    const std::string& jobId);  // "<job>/lockstep/failure.json": who failed first
[[nodiscard]] std::string runDescription(const std::string& jobId);  // "<job>/lockstep/run.json"
[[nodiscard]] std::string nodeFile(const std::string& jobId,
                                   int node);  // "<job>/lockstep/nodes/<n>.json": where a node can be reached
[[nodiscard]] std::string reachFile(const std::string& jobId,
                                    int node);  // "<job>/lockstep/reach/<n>.json": whom a node can reach
[[nodiscard]] std::string aliveFolder(
    const std::string& jobId);  // "<job>/lockstep/alive/": a heartbeat of each node, "<n>.json"
[[nodiscard]] std::string attemptFolder(
    const std::string& jobId,
    int attempt);  // "<job>/lockstep/attempts/<n>/": a restart of all ranks
[[nodiscard]] std::string heartbeatFile(
    const std::string& jobId);  // "<job>/lockstep/heartbeat.json": where every rank is
[[nodiscard]] std::string stepFile(
    const std::string& jobId);  // "<job>/lockstep/step.json": where the script of rank 0 is
[[nodiscard]] std::string stackRequest(
    const std::string& jobId);  // "<job>/lockstep/stacks/request.json": of which ranks the stacks are wanted
[[nodiscard]] std::string stackReports(
    const std::string& jobId,
    const std::string& request);  // "<job>/lockstep/stacks/<request>/": the answers
[[nodiscard]] std::string stackReport(const std::string& jobId, const std::string& request,
                                      int rank);  // "<job>/lockstep/stacks/<request>/<rank>.json"
[[nodiscard]] std::string metricsFolder(const std::string& jobId);  // "<job>/lockstep/metrics/"
[[nodiscard]] std::string metricIndex(
    const std::string& jobId);  // "<job>/lockstep/metrics/index.json": how many segments each rank has
inline constexpr const char* kMetricIndexName = "index.json";  // in that folder
}  // namespace layout

}  // namespace lockstep
