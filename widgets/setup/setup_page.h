// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>

#include "base/status.h"
#include "setup/setup_step.h"

class QAction;
class QComboBox;
class QLabel;
class QListView;
class QProgressBar;
class QPushButton;

namespace lockstep {

class ElidedLabel;
class MessageBar;
class StepDetails;
class StepsModel;

/// The prerequisites: which profile is used, and for each step whether it is ready, with the evidence. Checks
/// nothing itself: it asks for a check and shows the reports. Steps that this version does not have are not
/// shown.
class SetupPage : public QWidget {
  Q_OBJECT
 public:
  explicit SetupPage(QWidget* parent = nullptr);

  /// The profiles of the config file and the one in use (empty: none). Emits nothing. Reports of another
  /// profile go.
  void setProfiles(const QStringList& names, const QString& current);
  [[nodiscard]] QString currentProfile() const;
  /// One line about the profile in use: region, user, endpoint, config file.
  void setProfileSummary(const QString& text);

  /// The step is being checked from now on; its report ends that.
  void setChecking(const std::string& stepId);
  void setReport(const std::string& stepId, const StepReport& report);
  [[nodiscard]] bool isChecking() const;
  /// What happened last, e.g. "14:02:11 GetBucket 200, 31 ms".
  void setActivity(const QString& text);
  void showStatus(const Status& status);
  [[nodiscard]] MessageBar* messageBar() const { return message_; }
  [[nodiscard]] StepsModel* stepsModel() const { return steps_; }

  [[nodiscard]] QAction* checkAction() const { return check_; }
  [[nodiscard]] QAction* rehearsalAction() const { return rehearsal_; }

 signals:
  void profileChosen(const QString& name);
  void checkRequested();
  void rehearsalRequested();

 private:
  QWidget* makeHeader();
  QWidget* makeBody();
  void refresh();
  void showCurrent();

  StepsModel* steps_;
  QAction* check_;
  QAction* rehearsal_;
  MessageBar* message_;
  QComboBox* profiles_ = nullptr;
  ElidedLabel* summary_ = nullptr;
  QLabel* counts_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* checkButton_ = nullptr;
  QListView* list_ = nullptr;
  StepDetails* details_ = nullptr;
  ElidedLabel* activity_ = nullptr;
};

}  // namespace lockstep
