// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/setup/choice_form.h"
#include "widgets/setup/steps_model.h"

class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace lockstep {

class FactsCard;
class FindingList;
class FixList;
class ElidedLabel;
class StateBadge;
class WaiverRow;

/// One step in full: what it is for, its state, its choices, what was found with evidence and remedy, what
/// can be done about it, and what train.yaml can use of it.
class StepDetails : public QWidget {
  Q_OBJECT
 public:
  explicit StepDetails(QWidget* parent = nullptr);

  /// Shows the step as it is now. The one that is shown already keeps its place, its open preview and what is
  /// being typed.
  void showStep(const StepsModel::Step& step, const QString& waiver);
  /// The names of things by their id, for the next showStep().
  void setNames(const ResourceNames& names);
  /// What "Copy" puts on the clipboard.
  [[nodiscard]] QString plainText() const { return plainText_; }
  [[nodiscard]] const std::string& stepId() const { return stepId_; }
  [[nodiscard]] ChoiceForm* form() const { return form_; }
  [[nodiscard]] FixList* fixes() const { return fixes_; }
  [[nodiscard]] WaiverRow* waiver() const { return waiver_; }
  [[nodiscard]] FactsCard* facts() const { return facts_; }
  [[nodiscard]] QScrollArea* scrollArea() const { return scroll_; }
  void setCheckAction(QAction* action);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeBody();
  void showFindings(const StepsModel::Step& step);
  FindingList* makeList(const std::vector<Finding>& findings);
  void showRemark(const StepsModel::Step& step);
  void fitHead();
  void fitPageSoon();
  void fitPage();

  QWidget* head_ = nullptr;
  std::string stepId_;
  ResourceNames names_;
  std::string shownJson_;  // of the findings and tables that are shown
  QString plainText_;
  ElidedLabel* title_ = nullptr;
  StateBadge* badge_ = nullptr;
  QLabel* purpose_ = nullptr;
  QToolButton* check_ = nullptr;
  QToolButton* waive_ = nullptr;
  QToolButton* copy_ = nullptr;
  WaiverRow* waiver_ = nullptr;
  QScrollArea* scroll_ = nullptr;
  ChoiceForm* form_ = nullptr;
  QLabel* remark_ = nullptr;
  QVBoxLayout* problems_ = nullptr;
  FixList* fixes_ = nullptr;
  QVBoxLayout* rest_ = nullptr;  // tables and what is fine
  FactsCard* facts_ = nullptr;
};

}  // namespace lockstep
