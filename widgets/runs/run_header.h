// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <chrono>
#include <optional>

#include "base/clock.h"
#include "runs/training_run.h"
#include "widgets/runs/run_progress.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lockstep {

class ElidedLabel;
class StateBadge;

/// The top of the live run page: what run this is, how it is, how far it is, and how old what we see is. The
/// owner calls tick() about once a second.
class RunHeader : public QWidget {
  Q_OBJECT
 public:
  /// Reads `progress` at each tick; it must outlive the header.
  explicit RunHeader(const RunProgress* progress, QWidget* parent = nullptr);

  void setRun(const TrainingRun& run);
  /// Age of the newest sample or line when it was looked at; nothing: no data yet.
  void setDataLag(std::optional<std::chrono::nanoseconds> lag, TimePoint seenAt);
  void setCanceling(bool canceling);
  void tick(TimePoint now);

 signals:
  void backRequested();
  void cancelRequested();

 private:
  QLayout* makeTopRow();
  QLayout* makeFactsRow();
  void showProgress(TimePoint now);
  void showLag(TimePoint now);
  void updateCancel();

  const RunProgress* progress_;
  TrainingRun run_;
  std::optional<std::chrono::nanoseconds> lag_;
  TimePoint lagSeenAt_{};
  bool canceling_ = false;
  QToolButton* back_;
  ElidedLabel* name_;
  StateBadge* badge_;
  QPushButton* cancel_;
  QLabel* elapsed_;
  QProgressBar* bar_;
  QLabel* steps_;
  QLabel* remaining_;
  QLabel* accuracy_;
  QLabel* lagLabel_;
};

}  // namespace lockstep
