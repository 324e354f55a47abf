// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <string>
#include <vector>

#include "setup/step/setup_step.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace lockstep {

/// A fix and the step that proposes it.
struct FixOfStep {
  std::string stepId;
  ProposedFix fix;
};

/// Everything that can be done unasked, with every call that does it, and one button for all of it. Escape
/// goes back and never applies.
class FixSeriesPanel : public QFrame {
  Q_OBJECT
 public:
  explicit FixSeriesPanel(QWidget* parent = nullptr);

  void setFixes(const std::vector<FixOfStep>& fixes);
  [[nodiscard]] const std::vector<FixOfStep>& fixes() const { return fixes_; }
  /// While they are applied nothing can be pressed; `doing` says which one.
  void setApplying(bool isApplying, const QString& doing = {});
  [[nodiscard]] bool isApplying() const { return isApplying_; }
  /// The list as it is shown.
  [[nodiscard]] QString text() const;
  [[nodiscard]] QPushButton* applyButton() const { return apply_; }

 signals:
  void applyRequested();
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* makeButtons();

  std::vector<FixOfStep> fixes_;
  QLabel* title_;
  QPlainTextEdit* list_;
  QLabel* doing_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* close_ = nullptr;
  QPushButton* apply_ = nullptr;
  bool isApplying_ = false;
};

}  // namespace lockstep
