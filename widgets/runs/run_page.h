// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointer>
#include <QWidget>
#include <set>
#include <string>

#include "base/error.h"
#include "diagnosis/findings/finding.h"
#include "launch/run_follower.h"
#include "metrics/run_progress.h"
#include "widgets/common/layout/filling.h"
#include "widgets/health/health_words.h"
#include "widgets/runs/run_header.h"
#include "widgets/runs/run_time.h"

class QPushButton;

namespace lockstep {

class Dashboard;
class FindingBar;
class MessageBar;
class FileBar;
struct StackAnswer;

/// What of a run is here.
struct RunInSight {
  TrainingRun run;
  std::shared_ptr<const MetricStore> samples;     // never null
  std::shared_ptr<const LogSnapshot> log;         // null: there are no lines
  std::shared_ptr<const DiagnosisReport> report;  // null: nobody has looked yet
  bool areLinesWhole = false;                     // none of the past is still on its way
};

/// One run, live or over: its header, what went wrong, and its dashboard. Shows what it is given and asks for
/// the rest.
class RunPage : public QWidget {
  Q_OBJECT
 public:
  explicit RunPage(QWidget* parent = nullptr);

  /// Shows another run, empty at first; the same run again only refreshes its facts.
  void setRun(const TrainingRun& run);
  [[nodiscard]] const TrainingRun& run() const { return run_; }
  /// What one look at this run brought; looks at other runs are ignored.
  void apply(const RunUpdate& update);
  /// The run cannot be looked at; goes away with the next update.
  void showFollowProblem(const Error& error);
  /// Its past is not fetched any further.
  void showLoadingStopped();
  void showError(const Error& error);
  /// Something to know about this run; stays until it is closed.
  void showMessage(const QString& title, const QString& text);
  /// The answer to pastWanted().
  void showPast(const RunPast& past) { time_->take(past); }
  /// Keys of findings of this run that the user does not want to be told of.
  void setMutedFindings(std::set<std::string> keys);
  /// What has come of stacksWanted(); of another run it is ignored.
  void showStacks(const RunId& run, const std::string& finding, const StackAnswer& answer);
  void setCanceling(bool canceling);
  /// A run is being launched again; there is one launch at a time.
  void setRelaunching(bool isRelaunching);
  [[nodiscard]] Dashboard* dashboard() const { return dashboard_; }
  [[nodiscard]] RunTime* time() const { return time_; }
  [[nodiscard]] FindingBar* findingBar() const { return findingBar_; }
  /// Tells of a run that is being written into a file.
  [[nodiscard]] FileBar* fileBar() const { return fileBar_; }
  [[nodiscard]] const RunProgress& progress() const { return progress_; }
  /// All samples, lines and findings, whatever time is looked at.
  [[nodiscard]] RunInSight inSight() const;

 signals:
  void backRequested();
  /// Confirmed by the user already.
  void cancelRequested(const lockstep::RunId& id);
  /// The same again.
  void relaunchRequested(const lockstep::RunId& id);
  /// The same again, but for what the user is going to say.
  void changedRelaunchRequested(const lockstep::RunId& id);
  /// The run is to be written into a file of the user's choice.
  void saveRequested(lockstep::RunDocument document);
  void stopLoadingRequested();
  /// The run is to be shown from its beginning: setRun({}) and setRun(run) again, and follow it.
  void reloadRequested();
  /// A finding is to be told no more for a while, or again; the answer is setMutedFindings().
  void muteRequested(const lockstep::RunId& id, const std::string& finding, bool isMuted);
  /// The nodes of the run that is shown are to be asked where in their code these ranks are; the answer is showStacks().
  /// `finding`: the key of the one it is about.
  void stacksWanted(const std::string& finding, const std::vector<lockstep::Rank>& ranks);
  /// The run is to be shown as it was at some time: somebody with a thread gives answered(past) to showPast().
  void pastWanted(const lockstep::RunPast& past);
  /// The rehearsal region that this run belongs to does not run.
  void startRegionRequested();

 protected:
  /// What no part of the page takes: the keys of its time (TimeBar::handleKey).
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void forgetRun();
  void noteLook(const RunUpdate& update);
  void refreshFacts();
  [[nodiscard]] Filling fillingOf(bool isRead) const;
  void showFilling();
  void showNodes();
  void showFailure();
  void showHealth();
  void showFindings();
  void goTo(const RunFinding& finding);
  [[nodiscard]] std::set<Rank> knownRanks() const;
  [[nodiscard]] bool isHealthFresh() const;
  [[nodiscard]] HealthNotice noticeNow() const;
  void showLinesOfFailure();
  void showProblems(const RunUpdate& update);
  void showProblem(const Error& problem);
  void askToCancel();

  TrainingRun run_;
  RunProgress progress_;
  std::shared_ptr<const RunHealth> health_;
  std::shared_ptr<const LogSnapshot> log_;                           // all lines; null: there are none
  std::shared_ptr<const DiagnosisReport> report_;                    // null: nobody has looked yet
  std::optional<std::chrono::steady_clock::time_point> healthSeen_;  // when it could be read last
  LoadedPart loaded_;
  bool areSamplesRead_ = false, areLinesRead_ = false;  // all of the past is here
  bool isUnreadable_ = false;                           // nothing can be read now
  bool hasEnded_ = false;                               // nothing more is going to come
  bool isStopped_ = false;                              // the user wanted no more of the past
  bool isAskingToCancel_ = false;
  bool isRelaunching_ = false;
  std::string shownFailure_, shownProblem_;
  QString shownHealth_;
  RunHeader* header_;
  QPointer<QPushButton> relaunch_, changedRelaunch_;  // below the failure
  MessageBar* questionBar_;
  MessageBar* failureBar_;
  MessageBar* healthBar_;
  MessageBar* problemBar_;
  FileBar* fileBar_;
  FindingBar* findingBar_;
  Dashboard* dashboard_;
  RunTime* time_;
};

}  // namespace lockstep
