// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "app/desktop/support/background_task.h"
#include "launch/run_follower.h"
#include "logs/store/kept_log.h"
#include "metrics/lines/line_choice.h"

namespace lockstep {

/// One look at a run; blocks. What RunFollower::poll does, as a function so that tests can stand in for it; and its
/// RunFollower::wantFiner, startWithNewestLines and pollLines, where there are any.
class RunPoll {
 public:
  using Look = std::function<RunUpdate(const std::stop_token&)>;
  using Want = std::function<void(std::vector<CoarseSpan>)>;
  using StartLines = std::function<void(const std::optional<KeptLines>&)>;

  explicit RunPoll(Look look, Want want = {}, StartLines startLines = {}, Look lookAtLines = {})
      : look_(std::move(look)),
        want_(std::move(want)),
        startLines_(std::move(startLines)),
        lookAtLines_(std::move(lookAtLines)) {}
  RunUpdate operator()(const std::stop_token& stop) const { return look_(stop); }
  [[nodiscard]] bool canLookAtLines() const { return lookAtLines_ != nullptr; }
  [[nodiscard]] RunUpdate lookAtLines(const std::stop_token& stop) const { return lookAtLines_(stop); }
  void wantFiner(std::vector<CoarseSpan> parts) const {
    if (want_) want_(std::move(parts));
  }
  void startWithNewestLines(const std::optional<KeptLines>& kept) const {
    if (startLines_) startLines_(kept);
  }

 private:
  Look look_;
  Want want_;
  StartLines startLines_;
  Look lookAtLines_;
};
/// Opens what is needed to look at a run (reads the profile and its key); blocks. Called in the monitor's
/// thread.
using RunPollFactory = std::function<Result<RunPoll>(const std::stop_token&)>;

class RunMailbox;
class RunSight;

/// Follows one run in a thread of its own and hands what it sees to the UI thread. That thread also keeps the lines, in a
/// KeptLog, and the samples, in a MetricStore, and looks for what is wrong (RunDiagnosis); the UI thread gets immutable snapshots of both, of which only the newest
/// counts, so that a window that is held up fills no memory. Of a long run not all samples are in memory: those of the
/// steps that lookAt() names are read while they are looked at. All members belong to the UI thread.
class RunMonitor : public QObject {
  Q_OBJECT
 public:
  static constexpr std::size_t kSampleMemory = std::size_t{512} << 20;

  explicit RunMonitor(std::chrono::milliseconds interval = kFollowInterval, QObject* parent = nullptr);
  ~RunMonitor() override;

  /// Follows this run from its beginning; one that was followed before is let go. Its lines are kept in that folder, or,
  /// without one, in memory; the limits are those of the folder.
  /// `choice`: the rules that read samples from the lines of a run whose nodes leave none.
  void follow(RunPollFactory open, std::filesystem::path linesFolder = {}, KeptLog::Limits limits = {},
              const LineChoice& choice = {});
  /// For samples, of the runs that are followed from now on; what they come to is kept beside them.
  void setSampleMemory(std::size_t bytes) { sampleMemory_ = bytes; }
  /// These steps are in sight.
  void lookAt(const StepsInSight& sight);
  /// Stops looking; the run itself goes on.
  void stop();
  [[nodiscard]] bool isFollowing() const { return task_.isRunning(); }

 signals:
  void updated(const std::shared_ptr<const lockstep::RunUpdate>& update);
  /// The run cannot be looked at now (no profile, no key); tried again until it can.
  void failed(const lockstep::Error& error);

 private:
  void deliver();

  std::chrono::milliseconds interval_;
  std::size_t sampleMemory_ = kSampleMemory;
  std::shared_ptr<RunSight> sight_;
  std::shared_ptr<RunMailbox> mailbox_;
  BackgroundTask task_;
};

}  // namespace lockstep
