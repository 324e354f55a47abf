// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QToolButton>
#include <map>
#include <string>
#include <vector>

#include "metrics/lines/printed_samples.h"

class QCheckBox;
class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockstep {

/// A button that says which rule reads samples from the lines of a run, and opens a panel in which rules are switched off and an
/// expression of one's own is given. Nothing changes before it is applied.
class LineRulesButton : public QToolButton {
  Q_OBJECT
 public:
  explicit LineRulesButton(QWidget* parent = nullptr);

  /// How the rules have fared so far.
  void setUses(const std::vector<LineRuleUse>& uses);
  /// What is used now; the panel begins with it.
  void setChoice(const LineChoice& choice);
  [[nodiscard]] QFrame* panel() const { return panel_; }

 signals:
  void chosen(const lockstep::LineChoice& choice);

 private:
  void createPanel();
  void openPanel();
  void showChoice();
  void showUses();
  void checkOwn();
  void apply();
  [[nodiscard]] LineChoice choiceInPanel() const;

  std::vector<LineRuleUse> uses_;
  LineChoice choice_;
  QFrame* panel_ = nullptr;
  QCheckBox* isOn_ = nullptr;
  std::map<std::string, QCheckBox*> rules_;  // by id
  QLineEdit* own_ = nullptr;
  QLabel* problem_ = nullptr;
  QPushButton* apply_ = nullptr;
};

}  // namespace lockstep
