// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "health/heartbeat.h"
#include "launch/launcher.h"
#include "metrics/segments/metric_segment.h"
#include "workdir/object_store.h"

namespace lockstep {

/// A run whose folder alone is known: looked at, and neither launched nor cancelled (FailedPrecondition). Its nodes are
/// one row, since nothing there tells them apart.
///
/// The state, the first that holds: Failed, where failure.json or stop_fail is there; Succeeded, where `stop` is;
/// Running, where the heartbeat or the nodes' heartbeats are fresh or change while somebody looks; Waiting, where the
/// run has just begun; else Silent. What somebody else may have written there is bounded before it is believed.
/// refresh() is six short listings and the reads of what is new; once it has ended, also one listing of the segments of rank 0,
/// whose last sample tells when. One owner thread; blocks on the store.
class FolderLauncher final : public Launcher {
 public:
  /// `folder`: the run's, in the work dir.
  FolderLauncher(std::shared_ptr<ObjectStore> workDir, std::string folder, std::shared_ptr<Clock> clock);

  Result<TrainingRun> launch(const LaunchRequest& request, const LaunchProgressHandler& progress,
                             const std::stop_token& stop) override;
  Result<TrainingRun> cancel(TrainingRun run, const std::stop_token& stop) override;
  Result<TrainingRun> refresh(TrainingRun run, const std::stop_token& stop) override;

  /// For so long without anything new a run still counts as running: the calendars of machines differ.
  static constexpr std::chrono::minutes kSilence{10};

 private:
  /// An object as it was when it was last seen to be new.
  struct Watched {
    std::string version;
    bool isThere = false;
    bool hasChanged = false;  // since the first look
    SteadyPoint changed{};
  };
  Result<void> readDescription(const std::stop_token& stop);
  Result<void> readHeartbeat(const std::stop_token& stop);
  Result<void> readStart(const std::stop_token& stop);
  Result<void> lookForNodes(const std::stop_token& stop);
  Result<void> lookForEnd(TrainingRun& run, const std::stop_token& stop);
  Result<void> readLastSample(const std::stop_token& stop);
  [[nodiscard]] Result<std::optional<MetricSegment>> readSegment(const SegmentId& id,
                                                                 const std::stop_token& stop);
  Result<std::optional<std::string>> readSmall(const std::string& name, std::size_t maxBytes,
                                               Watched* watched, const std::stop_token& stop);
  void note(Watched& watched, std::string version) const;
  [[nodiscard]] bool isFresh(const Watched& watched) const;
  [[nodiscard]] JobRunState stateWithoutEnd() const;

  std::shared_ptr<ObjectStore> workDir_;
  std::string folder_;
  std::shared_ptr<Clock> clock_;
  bool isDescribed_ = false, looksForStart_ = true;
  int nodes_ = 1;
  bool looksForLast_ = true;
  std::optional<TimePoint> started_, beat_, failed_, lastSample_;  // beat_: time of the heartbeat
  Watched heartbeat_, alive_;
};

}  // namespace lockstep
