// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "comparison/compared_run.h"

class QComboBox;
class QLabel;
class QTabWidget;
class QTreeView;

namespace lockstep {

class ComparisonTable;
class MessageBar;
class OverlayPlot;
class TextDifferenceView;

/// Several runs beside each other: the verdict, their curves over each other, what came of them, what was other in their
/// launches. Shows what it is given; UI thread.
class ComparisonPage : public QWidget {
  Q_OBJECT
 public:
  explicit ComparisonPage(QWidget* parent = nullptr);

  /// The runs whose samples are still being read have none yet.
  void setRuns(std::vector<ComparedRun> runs);
  [[nodiscard]] const std::vector<ComparedRun>& runs() const { return runs_; }
  void setLoading(bool isLoading);
  void showError(const Error& error);
  [[nodiscard]] QString verdict() const;
  [[nodiscard]] OverlayPlot* plot() const { return plot_; }

 signals:
  void backRequested();

 private:
  QWidget* makeTools();
  QTreeView* makeTable(ComparisonTable* model, const QString& name);
  void fillMetrics();
  void showQuantity();
  void showCurves(const std::string& metric);
  void showTables();
  void showTexts();

  std::vector<ComparedRun> runs_;
  QLabel* verdict_;
  QLabel* loading_;
  QComboBox* metric_;
  QComboBox* axis_;
  OverlayPlot* plot_;
  MessageBar* messages_;
  QTabWidget* tabs_;
  ComparisonTable* results_;
  ComparisonTable* differences_;
  QComboBox* from_;
  QComboBox* to_;
  TextDifferenceView* texts_;
};

}  // namespace lockstep
