// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <vector>

#include "app/desktop/runs/run_access.h"
#include "app/desktop/support/background_task.h"
#include "comparison/compared_run.h"

namespace lockstep {

class MainWindow;

/// Lays runs beside each other on the page for that: what is stored about them at once, then what they have measured, a few runs
/// at a time, each as it comes. UI thread.
class ComparisonController : public QObject {
  Q_OBJECT
 public:
  explicit ComparisonController(MainWindow* window, QObject* parent = nullptr);

  void setPassPhrases(PassPhrases passPhrases) { passPhrases_ = std::move(passPhrases); }
  void compare(const std::vector<RunId>& ids);
  /// The newest few, for pictures.
  void compareNewest(std::size_t count);
  /// Nothing is being read.
  [[nodiscard]] bool isSettled() const { return isSettled_; }

 signals:
  /// All that can be read of the runs is on the page.
  void loaded();

 private:
  void work(const std::function<Result<std::vector<RunId>>()>& choose);
  void show(std::vector<ComparedRun> runs, bool isLoading);

  MainWindow* window_;
  BackgroundTask task_;
  PassPhrases passPhrases_;
  bool isSettled_ = true;
};

}  // namespace lockstep
