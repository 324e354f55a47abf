// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <vector>

#include "app/desktop/runs/relaunch.h"
#include "app/desktop/support/background_task.h"

namespace lockstep {

class MainWindow;

/// Launches runs again, as they were or with changes that the user is asked for, one at a time; says on the page of the run, or on that
/// of all runs, why it cannot. UI thread; blocks nothing.
class RelaunchController : public QObject {
  Q_OBJECT
 public:
  explicit RelaunchController(MainWindow* window, QObject* parent = nullptr);

  void setPassPhrases(PassPhrases passPhrases) { passPhrases_ = std::move(passPhrases); }
  [[nodiscard]] bool isRunning() const { return task_.isRunning(); }

  void relaunch(const RunId& id, const std::vector<LaunchChange>& changes = {});
  /// Shows a dialog with what the run was launched with; what is accepted there is launched.
  void askForChanges(const RunId& id);

 signals:
  /// Before anything is said about it.
  void launched(const lockstep::TrainingRun& run);
  /// What was left of the launch stands in the history.
  void failed();
  void ended();

 private:
  void setRunning(bool isRunning);
  void ask(const RunId& id, const Result<TrainingRun>& run);
  void finish(const RunId& id, const Result<Relaunched>& done);
  void showError(const RunId& id, const Error& error);

  MainWindow* window_;
  PassPhrases passPhrases_;
  BackgroundTask task_, findTask_;
  RunId id_;  // of what is being launched again
};

}  // namespace lockstep
