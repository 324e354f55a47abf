// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/setup/steps_model.h"

class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace lockstep {

class StateBadge;

/// One step in full: what it is for, its state, and what was found with evidence and remedy.
class StepDetails : public QWidget {
  Q_OBJECT
 public:
  explicit StepDetails(QWidget* parent = nullptr);
  void showStep(const StepsModel::Step& step);
  /// What "Copy" puts on the clipboard.
  [[nodiscard]] QString plainText() const { return plainText_; }

 private:
  QWidget* makeCard(const Finding& finding);

  QLabel* title_;
  StateBadge* badge_;
  QLabel* purpose_;
  QToolButton* copy_;
  QScrollArea* scroll_;
  QString plainText_;
};

}  // namespace lockstep
