// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/desktop/support/background_task.h"
#include "base/error.h"
#include "runs/run_store.h"

namespace lockstep {

class MainWindow;

/// Takes runs of other machines and programs into the history, one file or folder at a time, with progress that can be
/// cancelled: those that came before stay. UI thread; blocks nothing but in the file dialogs. What came of it is said on the
/// page of the runs.
class RunImport : public QObject {
  Q_OBJECT
 public:
  explicit RunImport(MainWindow* window, QObject* parent = nullptr);
  ~RunImport() override;

  /// A .lockstep file, a table, or a folder or file of TensorBoard.
  void take(const QString& path);
  [[nodiscard]] bool isRunning() const { return task_.isRunning(); }

 signals:
  /// The history has runs that it had not.
  void added();
  void finished(bool done);

 private:
  /// A run that came, and what is odd about it.
  struct Come {
    TrainingRun run;
    bool hasTimes = true;
    std::uint64_t passedOver = 0;
    std::vector<std::string> otherSteps;
  };
  struct Taken {
    std::vector<Come> runs;
    std::optional<Error> problem;  // why there are not more
  };
  using Tell = std::function<void(double share, const QString& details)>;
  static Taken takeAll(const std::string& path, const Tell& tell, const std::stop_token& stop);
  static Result<void> takeForeign(const std::string& path, RunStore& store, const Tell& tell,
                                  const std::stop_token& stop, Taken& taken);
  static QStringList oddities(const Come& one);
  void chooseFile();
  void chooseFolder();
  void finish(const Taken& taken);
  void showTaken(const std::vector<Come>& runs);

  MainWindow* window_;
  BackgroundTask task_;
  std::stop_source stop_;  // of what is being read
};

}  // namespace lockstep
