// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>

#include "base/error.h"
#include "setup/step/applied_change.h"
#include "setup/step/setup_context.h"
#include "widgets/common/pickers/resource_choices.h"
#include "widgets/setup/steps_model.h"

class QAction;
class QListView;
class QPushButton;
class QStackedWidget;

namespace lockstep {

class ChangesPanel;
class FixSeriesPanel;
class MessageBar;
class SetupHeader;
class StepDelegate;
class StepDetails;

/// The prerequisites: which profile is used, for each step whether it is ready, with the evidence, and what
/// can be done about it. Checks and changes nothing itself: it tells what the user asks for and shows what
/// came of it.
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
  /// "last check 14:02, 3.1 s, 23 read-only calls".
  void setLastCheck(const QString& text);

  /// The step is being checked from now on; its report ends that.
  void setChecking(const std::string& stepId);
  void setReport(const std::string& stepId, const StepReport& report);
  void setRemembered(const std::string& stepId, const StepReport& report, const QDateTime& checkedAt);
  /// Nothing is being checked any more, whether its report came or not.
  void endChecking();
  void endChecking(const std::string& stepId);
  [[nodiscard]] bool isChecking() const;

  void setChoices(const SetupChoices& choices);
  void setResources(ResourceKind kind, const ResourceChoices& resources);
  /// What the tenancy has may be something else by now; asked for again when somebody looks at it.
  void clearResources();
  /// The answer to fileWanted().
  void setField(const std::string& fieldId, const QString& value);
  /// The fix is being applied; empty: none is any more.
  void setApplying(const std::string& stepId, const std::string& fixId);
  /// The listed changes are being made, `doing` just now; empty: none is any more.
  void setApplyingAll(const QString& doing);
  void setChanges(const std::vector<AppliedChange>& changes);
  void setTakingBack(const std::string& changeId);

  void showError(const Error& error);
  [[nodiscard]] MessageBar* messageBar() const { return message_; }
  void showStep(const std::string& stepId);
  void showChanges();

  [[nodiscard]] StepsModel* stepsModel() const { return steps_; }
  [[nodiscard]] StepDetails* details() const { return details_; }
  [[nodiscard]] ChangesPanel* changesPanel() const { return changes_; }
  [[nodiscard]] FixSeriesPanel* seriesPanel() const { return series_; }
  /// Opens the list of all that can be done unasked; hidden while that is less than two changes.
  [[nodiscard]] QPushButton* allButton() const { return all_; }
  /// Leads to the next step that is blocked; hidden while there is no other.
  [[nodiscard]] QPushButton* nextButton() const { return next_; }
  [[nodiscard]] SetupHeader* header() const { return header_; }
  [[nodiscard]] QListView* stepsList() const { return list_; }

  [[nodiscard]] QAction* checkAction() const { return check_; }
  [[nodiscard]] QAction* checkStepAction() const { return checkStep_; }
  [[nodiscard]] QAction* rehearsalAction() const { return rehearsal_; }
  /// Use all in train.yaml, report as HTML, as text, copy statements, Terraform.
  [[nodiscard]] QList<QAction*> moreActions() const { return more_; }

 signals:
  void profileChosen(const QString& name);
  void checkRequested();
  void stepCheckRequested(const std::string& stepId);
  void rehearsalRequested();
  void waived(const std::string& stepId, const QString& reason);
  void waiverDropped(const std::string& stepId);
  void choicesChanged(const std::string& fieldId, const lockstep::SetupChoices& choices);
  void resourcesWanted(lockstep::ResourceKind kind);
  void fileWanted(const std::string& fieldId);
  void applyRequested(const std::string& stepId, const std::string& fixId);
  void applyAllRequested(const std::vector<lockstep::FixOfStep>& fixes);
  void takeBackRequested(const std::string& changeId);
  void factsChosen(const std::map<std::string, std::string>& facts);
  void reportRequested(bool asHtml);
  void statementsRequested();
  void terraformRequested();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void makeActions();
  QWidget* makeBody();
  QWidget* makeStepsSide();
  QWidget* makeStepSide();
  QWidget* makeFooter();
  void connectDetails();
  void refresh();
  void showCurrent();
  void goToFirstBlocked();
  void refreshFooter();
  void refreshChangesButton();
  [[nodiscard]] std::string currentStep() const;

  StepsModel* steps_;
  QAction* check_ = nullptr;
  QAction* checkStep_ = nullptr;
  QAction* rehearsal_ = nullptr;
  QList<QAction*> more_;
  QAction* useFacts_ = nullptr;
  SetupHeader* header_ = nullptr;
  MessageBar* message_;
  QListView* list_ = nullptr;
  StepDelegate* delegate_ = nullptr;
  QPushButton* changesButton_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  StepDetails* details_ = nullptr;
  ChangesPanel* changes_ = nullptr;
  FixSeriesPanel* series_ = nullptr;
  QPushButton* all_ = nullptr;
  QPushButton* next_ = nullptr;
  SetupChoices choices_;
  bool isStepChosen_ = false;  // by a person or on somebody's behalf: the page leads nowhere by itself
};

}  // namespace lockstep
