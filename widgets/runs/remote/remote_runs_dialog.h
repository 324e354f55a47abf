// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <map>
#include <vector>

#include "base/error.h"
#include "launch/remote/remote_runs.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTreeView;

namespace lockstep {

class MessageBar;
class RemoteRunsFilter;
class RemoteRunsModel;

/// Jobs of a tenancy, whoever launched them: found, looked through and taken up. Shows and asks; whoever owns it does.
class RemoteRunsDialog : public QDialog {
  Q_OBJECT
 public:
  explicit RemoteRunsDialog(QWidget* parent = nullptr);

  /// With whose rights is looked: "TEAM · us-ashburn-1".
  void setPlace(const QString& place);
  /// They are being looked for; so many of so many compartments were looked into. `of` is 0 as long as nobody knows.
  void setLooking(std::size_t done, std::size_t of);
  /// `known`: the runs of this machine, by the OCID of their job.
  void setRuns(RemoteRuns runs, std::map<std::string, RunId> known);
  /// That job is followed here from now on.
  void setKnown(const JobId& job, const RunId& run);
  /// Jobs are being taken up; nothing else is asked for meanwhile.
  void setTakingUp(bool isTakingUp);
  void showError(const Error& error);
  [[nodiscard]] RemoteRunsModel* model() const { return model_; }

 signals:
  void lookRequested();
  /// These are to stand among the runs of this machine; with `andOpen`, which is of one alone, its page is to be opened.
  void takeUpRequested(const std::vector<lockstep::JobId>& jobs, bool andOpen);
  void openRequested(const lockstep::RunId& id);

 private:
  QWidget* makeFilters();
  QWidget* makeTable();
  QWidget* makeButtons();
  void fillPlaces();
  void updateButtons();
  void updateCount();
  void openCurrent();
  void takeUp(const std::vector<JobId>& jobs);
  [[nodiscard]] std::vector<JobId> newOnes(bool onlyRunning) const;
  [[nodiscard]] std::vector<JobId> chosen() const;

  RemoteRunsModel* model_;
  RemoteRunsFilter* filter_;
  QLabel* place_;
  MessageBar* messages_;
  QProgressBar* progress_;
  QLabel* count_;
  QLineEdit* search_ = nullptr;
  QComboBox* compartments_ = nullptr;
  QComboBox* projects_ = nullptr;
  QComboBox* states_ = nullptr;
  QTreeView* table_ = nullptr;
  QPushButton* look_ = nullptr;
  QPushButton* takeUp_ = nullptr;
  QPushButton* takeUpRunning_ = nullptr;
  QPushButton* open_ = nullptr;
  std::size_t forbidden_ = 0;
  bool isLooking_ = false;
  bool isTakingUp_ = false;
};

}  // namespace lockstep
