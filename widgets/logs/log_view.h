// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <optional>
#include <vector>

#include "logs/log_line.h"
#include "widgets/common/layout/filling.h"

class QLabel;
class QToolButton;

namespace lockstep {

class LogFilterBar;
class LogFindBar;
class LogModel;
class LogTable;

/// The log pane of a run: lines of all nodes in time order, with follow, filters and find.
class LogView : public QWidget {
  Q_OBJECT
 public:
  explicit LogView(QWidget* parent = nullptr);

  void addLines(const std::vector<LogLine>& lines);
  void clear();
  /// Ranks that the run has, also before their first line.
  void setRanks(const std::vector<Rank>& ranks);
  void showOnlyRank(Rank rank);
  /// The last error that this rank (nothing: any) wrote, or its last line where none is an error, selected and in sight.
  void showLastError(std::optional<Rank> rank);
  /// What an empty log says.
  void setFilling(Filling filling);
  [[nodiscard]] LogModel* model() const { return model_; }
  [[nodiscard]] LogTable* table() const { return table_; }

  /// Filters and options, not the lines.
  [[nodiscard]] QByteArray saveState() const;
  void restoreState(const QByteArray& state);

 public slots:
  void openFind();
  void findNext();
  void findPrevious();

 signals:
  /// The user wants the lines shown in a file. Whoever may do I/O writes it.
  void saveRequested(const QString& text);

 private:
  void createActions();
  void createMenu();
  void arrange();
  void applyFilter();
  void find(bool forward);
  void updateCounts();
  [[nodiscard]] QString emptyText() const;
  void updateRanks();
  [[nodiscard]] QString shownText() const;

  LogModel* model_;
  LogTable* table_;
  LogFilterBar* filter_;
  LogFindBar* findBar_;
  QToolButton* follow_;
  QToolButton* save_;
  QLabel* counts_;
  std::vector<Rank> knownRanks_;
  Filling filling_ = Filling::Live;
};

}  // namespace lockstep
