// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

#include "runs/run_summary.h"

class QLineEdit;
class QPlainTextEdit;

namespace lockstep {

/// Asks what is to be said about a run: tags, group and note. Call open(); marks() says it once it is accepted.
class MarksDialog : public QDialog {
  Q_OBJECT
 public:
  MarksDialog(const QString& run, const RunMarks& marks, QWidget* parent);

  /// As they were, with what the fields say. Tags are what stands between commas.
  [[nodiscard]] RunMarks marks() const;

 private:
  RunMarks old_;
  QLineEdit* tags_;
  QLineEdit* group_;
  QPlainTextEdit* note_;
};

}  // namespace lockstep
