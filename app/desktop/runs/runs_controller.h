// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "app/desktop/runs/comparison_controller.h"
#include "app/desktop/runs/kept_findings.h"
#include "app/desktop/runs/relaunch_controller.h"
#include "app/desktop/runs/run_access.h"
#include "app/desktop/runs/run_exports.h"
#include "app/desktop/runs/run_file_export.h"
#include "app/desktop/runs/run_import.h"
#include "app/desktop/runs/run_monitor.h"
#include "app/desktop/runs/run_opener.h"
#include "app/desktop/runs/stack_question.h"
#include "app/desktop/support/background_task.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/muted_findings.h"
#include "launch/launcher.h"
#include "logs/store/kept_log.h"
#include "widgets/runs/time/run_replay.h"

namespace lockstep {

class MainWindow;

/// Keeps the history up to date, follows the run whose page is open, cancels and forgets. UI thread; blocks
/// nothing.
class RunsController : public QObject {
  Q_OBJECT
 public:
  explicit RunsController(MainWindow* window, QObject* parent = nullptr);
  ~RunsController() override;

  /// Where the pass phrases of encrypted keys come from; null: nobody is asked.
  void setPassPhrases(PassPhrases passPhrases) {
    comparison_.setPassPhrases(passPhrases);
    fileExport_.setPassPhrases(passPhrases);
    opener_.setPassPhrases(passPhrases);
    relaunch_.setPassPhrases(passPhrases);
    passPhrases_ = std::move(passPhrases);
  }
  [[nodiscard]] ComparisonController& comparison() { return comparison_; }
  [[nodiscard]] RunFileExport& fileExport() { return fileExport_; }
  [[nodiscard]] RunImport& import() { return import_; }
  /// With which profile a run in a bucket is read; without it the usual one.
  void setProfileSource(std::function<oci::ProfileQuery()> profile) {
    opener_.setProfileSource(std::move(profile));
  }
  /// For the samples of the run that is followed; of a longer one the rest is read while it is looked at.
  void setSampleMemory(std::size_t bytes);
  /// On disk, for the lines of each run that is followed from now on.
  void setKeptLog(std::uint64_t bytes) { keptLog_.bytes = bytes; }
  /// Where the rules that read the lines of a run are kept; null: nowhere.
  struct LineChoices {
    std::function<LineChoice(const RunId&)> read;
    std::function<void(const RunId&, const LineChoice&)> write;
  };
  void setLineChoices(LineChoices choices) { lineChoices_ = std::move(choices); }
  /// Reads the history, then asks the services about the runs that have not ended.
  void refresh();
  /// Opens the live page of a run: an id, a unique prefix, an OCID or "last", or a .lockstep file, or the folder or URI
  /// of a run in a work dir, which are only read and do not come into the history. Answers with opened() or
  /// notFound(); only a user who asked for the run is told on the page that it is not there.
  void open(const QString& reference, bool isAsked = true);
  /// Shows a run that was launched just now.
  void show(const TrainingRun& run);
  /// The run whose page is open or was open last; empty when there is none.
  [[nodiscard]] QString openRun() const;
  [[nodiscard]] bool isLoaded() const { return loaded_; }
  /// Whether the open run's page shows all that there is now: something has come and nothing more is under way. Of a run that is
  /// over, once nothing can come late any more: until then nobody knows that it left no lines.
  [[nodiscard]] bool isSettled() const { return settled_; }
  /// What has been read for the charts of the open run.
  [[nodiscard]] std::uint64_t metricBytesRead() const { return metricBytesRead_; }
  [[nodiscard]] bool isRelaunching() const { return relaunch_.isRunning(); }

 signals:
  void opened();
  void notFound(const lockstep::Error& error);
  void relaunchEnded();
  /// After each look at the run that is followed; `report` is null where nobody looked for findings.
  void looked(const lockstep::TrainingRun& run,
              const std::shared_ptr<const lockstep::DiagnosisReport>& report);
  void mutedFound(const lockstep::MutedFindings& muted);

 private:
  struct Seen {
    Result<std::vector<RunSummary>> runs;
    std::vector<Error> problems;
  };
  static Seen readStore();
  static Seen askServices(Seen seen, const RunId& followed, const PassPhrases& passPhrases,
                          const std::stop_token& stop);
  void showHistory(const Seen& seen);
  void follow(const TrainingRun& run);
  void askRetention(const TrainingRun& run);
  void showMuted(const RunId& id);
  void mute(const RunId& id, const std::string& finding, bool isMuted);
  void apply(const std::shared_ptr<const RunUpdate>& update);
  void cancel(const RunId& id);
  void forget(const RunId& id);
  void changeMarks(const RunId& id, const RunMarks& marks);
  void keepResultsOf(const TrainingRun& run);
  void moveHistoryAside();
  void stopLoading();
  void reload();
  void chooseLines(const LineChoice& choice);
  void startRegion();
  void findPast(const RunPast& wanted);
  void finishCancel(const RunId& id, const Result<TrainingRun>& run);

  MainWindow* window_;
  RunOpener opener_;
  RunExports exports_;
  RunFileExport fileExport_;
  RunImport import_;
  ComparisonController comparison_;
  RelaunchController relaunch_;
  RunMonitor monitor_;
  KeptFindings findings_;
  StackQuestion stacks_;
  BackgroundTask refreshTask_, forgetTask_, regionTask_, asideTask_, pastTask_, retentionTask_, marksTask_,
      resultsTask_, muteTask_;
  std::shared_ptr<const MetricStore> newestSamples_;  // of the run that is followed
  std::map<RunId, std::unique_ptr<BackgroundTask>> cancels_;
  QTimer refreshTimer_;
  QTimer settleTimer_;
  PassPhrases passPhrases_;
  std::size_t sampleMemory_ = RunMonitor::kSampleMemory;
  KeptLog::Limits keptLog_;
  LineChoices lineChoices_;
  std::string shownProblem_;
  bool loaded_ = false;
  bool settled_ = false;
  std::uint64_t metricBytesRead_ = 0;
};

}  // namespace lockstep
