// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <chrono>
#include <optional>

#include "base/clock.h"
#include "metrics/run_progress.h"
#include "runs/training_run.h"

class QAction;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lockstep {

class ElidedLabel;
class StateBadge;

/// How much of a run's past has been fetched, in objects of its work dir; none known: not counted yet.
struct LoadedPart {
  std::uint64_t read = 0, known = 0;
};

/// Files that a run can be written into as a whole.
enum class RunDocument { File, Report };

/// The top of the live run page: what run this is, how it is, how far it is, and how old what we see is. The
/// owner calls tick() about once a second.
class RunHeader : public QWidget {
  Q_OBJECT
 public:
  /// Reads `progress` at each tick; it must outlive the header.
  explicit RunHeader(const RunProgress* progress, QWidget* parent = nullptr);

  void setRun(const TrainingRun& run);
  /// Age of the newest sample or line when it was looked at; nothing: no data yet.
  void setDataLag(std::optional<std::chrono::nanoseconds> lag, SteadyPoint seenAt);
  void setCanceling(bool canceling);
  void setRelaunching(bool isRelaunching);
  /// A run is being written into a file; one at a time.
  void setSaving(bool isSaving);
  /// While its past is being fetched, the bar shows how much of that is here, and no progress of the run is told, since
  /// it is not known yet. Nothing: all is here.
  void setLoading(std::optional<LoadedPart> part);
  /// The run is shown as it was then; nothing: as it is.
  void setPast(std::optional<TimePoint> time);
  void tick(TimePoint now, SteadyPoint steady);

 signals:
  void backRequested();
  void cancelRequested();
  void relaunchRequested();
  void saveRequested(lockstep::RunDocument document);
  /// The user has seen enough of a long past.
  void stopLoadingRequested();

 private:
  QLayout* makeTopRow();
  QLayout* makeFactsRow();
  void makeExport();
  void showElapsed(TimePoint now);
  void showLoading();
  void showProgress(TimePoint now);
  void showPace(TimePoint now);
  void showLag(SteadyPoint now);
  void updateCancel();
  void updateRelaunch();

  const RunProgress* progress_;
  TrainingRun run_;
  std::optional<std::chrono::nanoseconds> lag_;
  SteadyPoint lagSeenAt_{};
  bool canceling_ = false;
  bool isRelaunching_ = false;
  std::optional<LoadedPart> loading_;
  std::optional<TimePoint> past_;
  QToolButton* back_;
  ElidedLabel* name_;
  StateBadge* badge_;
  QPushButton* relaunch_;
  QPushButton* cancel_;
  QToolButton* export_;
  QLabel* at_;
  QLabel* elapsed_;
  QProgressBar* bar_;
  QPushButton* stopLoading_;
  QLabel* steps_;
  QLabel* remaining_;
  QLabel* accuracy_;
  QLabel* lagLabel_;
};

}  // namespace lockstep
