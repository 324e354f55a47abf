// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <array>

#include "widgets/logs/filters/log_highlighters.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace lockstep {

/// Edits the words that are marked in colours. What is typed is marked at once; a mistake is said under its field.
class LogHighlightersDialog : public QDialog {
  Q_OBJECT
 public:
  explicit LogHighlightersDialog(const LogHighlighters& highlighters, QWidget* parent = nullptr);

 signals:
  void highlightersChanged(const lockstep::LogHighlighters& highlighters);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    QLabel* swatch = nullptr;
    QLineEdit* text = nullptr;
    QCheckBox* isExpression = nullptr;
  };
  void addRow(QGridLayout* grid, int number, const LogHighlighters::Word& word);
  void paintSwatches();
  void read();

  std::array<Row, LogHighlighters::kMost> rows_;
  QLabel* mistake_;
};

}  // namespace lockstep
