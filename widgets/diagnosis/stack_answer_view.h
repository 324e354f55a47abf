// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/diagnosis/stack_answer.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace lockstep {

/// Where in their code ranks are, as text to be read and copied; hidden while nobody has asked.
class StackAnswerView : public QWidget {
  Q_OBJECT
 public:
  explicit StackAnswerView(QWidget* parent = nullptr);
  void show(const StackAnswer& answer);

 private:
  QLabel* state_;
  QPlainTextEdit* text_;
  QToolButton* copy_;
};

}  // namespace lockstep
