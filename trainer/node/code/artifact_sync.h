// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/error.h"
#include "oci/calls/service_client.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// Where a file of that path below the synced folder goes. Blocks.
using ArtifactSink = std::function<Result<void>(const std::filesystem::path& file, const std::string& name,
                                                const std::stop_token& stop)>;

/// Keeps what the training leaves in a folder (SYNC_ARTIFACTS=1, ads-contract 4.1): every SYNC_SLEEP seconds,
/// and once more at the end, files that are new or changed go to `sync/<job>/<job run>/` of the work dir, or
/// of WORKSPACE/WORKSPACE_PREFIX. A file that changes while it is read goes with the next round. On a thread
/// of its own; thread-safe.
class ArtifactSync {
 public:
  /// Null when nothing is to be synced. InvalidArgument or the service's failure when the place cannot be
  /// had.
  static Result<std::unique_ptr<ArtifactSync>> open(const NodeSettings& settings,
                                                    const Environment& environment,
                                                    const std::shared_ptr<oci::ServiceClient>& services,
                                                    const std::stop_token& stop);
  ArtifactSync(std::filesystem::path folder, std::chrono::milliseconds interval, ArtifactSink sink);
  ArtifactSync(const ArtifactSync&) = delete;
  ArtifactSync& operator=(const ArtifactSync&) = delete;
  ~ArtifactSync() = default;

  /// One round, now. The first failure, after the others were tried.
  Result<void> syncNow(const std::stop_token& stop);
  [[nodiscard]] int filesKept() const;

 private:
  struct Seen {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    bool operator==(const Seen&) const = default;
  };
  void run(const std::stop_token& stop);
  Result<bool> keep(const std::filesystem::path& file, const std::stop_token& stop);

  std::filesystem::path folder_;
  std::chrono::milliseconds interval_;
  ArtifactSink sink_;
  mutable std::mutex mutex_;  // one round at a time
  std::map<std::string, Seen> kept_;
  std::jthread thread_;
};

}  // namespace lockstep::node
