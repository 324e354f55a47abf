// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <optional>
#include <vector>

#include "base/error.h"
#include "runs/run_summary.h"
#include "runs/training_run.h"

class QAbstractButton;
class QAction;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QTreeView;

namespace lockstep {

class FileBar;
class MessageBar;
class RunsModel;

/// The history: every run that this machine launched, newest first, as far as the search wants it. Shows and asks; whoever
/// owns it does.
class RunsPage : public QWidget {
  Q_OBJECT
 public:
  explicit RunsPage(QWidget* parent = nullptr);

  void setRuns(std::vector<RunSummary> runs);
  void updateRun(const TrainingRun& run);
  void updateFindings(const RunId& id, const RunFindings& findings);
  void showError(const Error& error);
  /// Something that was done; stays until it is closed.
  void showMessage(const QString& title, const QString& text);
  /// Tells of runs that are being read into the history.
  [[nodiscard]] FileBar* fileBar() const { return fileBar_; }
  /// The history cannot be read, so that nobody knows whether there are runs. With `canMoveAside` the page
  /// offers to begin a new one.
  void setHistoryUnknown(bool canMoveAside);
  /// Takes the last shown status away.
  void clearStatus();
  /// A run is being launched again; there is one launch at a time.
  void setRelaunching(bool isRelaunching);
  [[nodiscard]] RunsModel* model() const { return model_; }
  void select(const RunId& id);

 signals:
  void openRequested(const lockstep::RunId& id);
  /// The run in a .lockstep file that the user is to choose is to be shown.
  void openFileRequested();
  /// Runs in a file, or in a folder of TensorBoard, that the user is to choose are to come into the history.
  void importFileRequested();
  void importFolderRequested();
  /// The run in a folder that the user is to choose is to be shown.
  void openFolderRequested();
  /// The jobs of the tenancy are to be shown, whoever launched them.
  void remoteRequested();
  void cancelRequested(const lockstep::RunId& id);
  /// The same again.
  void relaunchRequested(const lockstep::RunId& id);
  /// The same again, but for what the user is going to say.
  void changedRelaunchRequested(const lockstep::RunId& id);
  /// Confirmed by the user already.
  void forgetRequested(const lockstep::RunId& id);
  void refreshRequested();
  void designerRequested();
  /// What people say about a run is to be that.
  void marksChanged(const lockstep::RunId& id, const lockstep::RunMarks& marks);
  /// These, 2 to kMostCompared, are to be laid beside each other, in the order of the list.
  void compareRequested(const std::vector<lockstep::RunId>& ids);
  /// The history that cannot be read is to be kept under another name, and a new one begun.
  void moveAsideRequested();

 private:
  QWidget* makeToolRow();
  QAbstractButton* makeFilesButton();
  QWidget* makeTable();
  QWidget* makeEmptyState();
  QWidget* makeUnknownState();
  void createActions();
  void updateActions();
  void askToForget();
  void askToCancel();
  void showRightView();
  void search();
  void editMarks();
  void togglePinned();
  void toggleArchived();
  [[nodiscard]] const RunSummary* selected() const;
  [[nodiscard]] std::vector<const RunSummary*> allSelected() const;
  void connectActions();

  RunsModel* model_;
  MessageBar* statusBar_;
  MessageBar* questionBar_;
  FileBar* fileBar_;
  QLineEdit* filter_ = nullptr;
  QLabel* mistake_ = nullptr;
  QTreeView* table_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  QPushButton* moveAside_ = nullptr;
  bool isKnown_ = true;
  bool isRelaunching_ = false;
  QAction* open_ = nullptr;
  QAction* openFile_ = nullptr;
  QAction* openFolder_ = nullptr;
  QAction* importFile_ = nullptr;
  QAction* importFolder_ = nullptr;
  QAction* remote_ = nullptr;
  QAction* relaunch_ = nullptr;
  QAction* changedRelaunch_ = nullptr;
  QAction* cancel_ = nullptr;
  QAction* forget_ = nullptr;
  QAction* refresh_ = nullptr;
  QAction* compare_ = nullptr;
  QAction* marks_ = nullptr;
  QAction* pin_ = nullptr;
  QAction* archive_ = nullptr;
  QAction* showArchived_ = nullptr;
};

}  // namespace lockstep
