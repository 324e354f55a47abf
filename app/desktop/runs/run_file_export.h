// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <functional>
#include <stop_token>

#include "app/desktop/runs/run_access.h"
#include "app/desktop/support/background_task.h"
#include "portable/save_run.h"
#include "widgets/runs/run_page.h"

namespace lockstep {

class MainWindow;

/// Writes the run of the page into one file, one at a time, with progress that can be cancelled; what came of it is said on
/// the page, or, where another run is shown by then, above it. UI thread; blocks nothing but in the file dialog.
class RunFileExport : public QObject {
  Q_OBJECT
 public:
  explicit RunFileExport(MainWindow* window, QObject* parent = nullptr);
  ~RunFileExport() override;

  void setPassPhrases(PassPhrases passPhrases) { passPhrases_ = std::move(passPhrases); }
  /// The run as it is in sight, with all its lines and findings (docs/formats/run-file.md).
  void writeRun(const QString& file);
  /// A page of it for any browser.
  void writeReport(const QString& file);
  [[nodiscard]] bool isRunning() const { return task_.isRunning(); }

 signals:
  void finished(bool done);

 private:
  /// A file that was written.
  struct Written {
    SavedRun saved;
    std::uint64_t size = 0;  // bytes on disk
  };
  static Result<Written> write(const RunInSight& run, const PassPhrases& passPhrases, const std::string& file,
                               const SaveProgressHandler& progress, const std::stop_token& stop);
  void choose(RunDocument document);
  static Result<void> writePage(const RunInSight& run, const std::string& file, const std::stop_token& stop);
  void begin(const QString& file);
  /// Does that in the background; the token stops with the task and when the user cancels.
  void run(const QString& file,
           std::function<void(const std::stop_token&, const BackgroundTask::Post&)> work);
  void showProgress(const SaveProgress& progress, std::uint64_t lines);
  void finish(const RunInSight& run, const QString& file, const Result<Written>& written);
  [[nodiscard]] static QString factsOf(const Written& written, bool areLinesWhole);
  void succeed(const RunId& run, const QString& file, const QString& facts);
  void fail(const RunId& run, Error error);
  [[nodiscard]] bool isShown(const RunId& run) const;

  MainWindow* window_;
  BackgroundTask task_;
  std::stop_source stop_;  // of what is being written
  PassPhrases passPhrases_;
};

}  // namespace lockstep
