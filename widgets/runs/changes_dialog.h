// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <vector>

#include "history/launch_changes.h"
#include "runs/training_run.h"

class QPushButton;
class QTableWidget;

namespace lockstep {

class PlainLabel;
class TextDifferenceView;

/// Asks what is to be other when a run is launched again: its arguments, workers, image and variables, and any other value by its
/// path; shows what becomes of its train.yaml meanwhile. Call open(); changes() says it once it is accepted. The run has its text.
class ChangesDialog : public QDialog {
  Q_OBJECT
 public:
  ChangesDialog(const TrainingRun& run, QWidget* parent);

  /// Of what is other than it was.
  [[nodiscard]] std::vector<LaunchChange> changes() const;
  [[nodiscard]] QTableWidget* table() const { return table_; }
  [[nodiscard]] QPushButton* launchButton() const { return launch_; }

 private:
  void fillTable();
  void addRow(const QString& key, const QString& now);
  void showWhatComes();

  TrainingRun run_;
  QTableWidget* table_;
  PlainLabel* problem_;
  TextDifferenceView* difference_;
  QPushButton* launch_;
};

}  // namespace lockstep
