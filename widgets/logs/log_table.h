// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTableView>
#include <optional>
#include <vector>

#include "widgets/logs/log_model.h"
#include "widgets/logs/log_text.h"

namespace lockstep {

/// Shows a LogModel: rows of one height, fixed-width text, the rank as a coloured chip. While it follows, the
/// newest line stays in sight; scrolling up ends that, coming back to the end (or End) takes it up again.
/// Right and Left unfold and fold, as does a click on the arrow before the text.
class LogTable : public QTableView {
  Q_OBJECT
 public:
  explicit LogTable(LogModel* model, QWidget* parent = nullptr);

  [[nodiscard]] LogModel* logModel() const { return model_; }
  [[nodiscard]] bool isFollowing() const { return isFollowing_; }
  void setFollowing(bool follow);
  /// What is marked in every line.
  void setHighlights(const QList<LogHighlight>& highlights);
  /// Underlines the last line that is not later, without going there; nullopt: none.
  void setCursorTime(std::optional<TimePoint> time);
  /// Makes the row current and shows it; following ends.
  void showRow(int row, ScrollHint hint = EnsureVisible);
  /// Said in the middle while there is no row.
  void setEmptyText(const QString& text);
  /// Call before and after the filter changes: the line at the top stays where it is as far as it is still
  /// shown.
  void keepPlace();
  void restorePlace();
  /// The selected lines, oldest first, of more than kMaxCopied those: as shown, or their text alone as it came.
  static constexpr int kMaxCopied = 200'000;
  [[nodiscard]] QString selectedText() const;
  [[nodiscard]] QString selectedRawText() const;
  [[nodiscard]] QList<int> selectedRows() const;

 public slots:
  void copySelection();
  void copyRaw();

  /// Letters are commands here, and no log is read through for a row that begins with one.
  void keyboardSearch(const QString&) override {}

 signals:
  /// More lines are selected than are copied at once; these are the first ones.
  void copiedPart(int lines);
  void followingChanged(bool follow);
  /// A click or Enter on a row.
  void rowActivated(int row);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void rowsInserted(const QModelIndex& parent, int first, int last) override;

 private:
  void copy(const QString& text);
  [[nodiscard]] qint64 selectedCount() const;
  void arrange();
  void onScrolled(int value);
  void afterInsertion(int first, int last);
  void afterRemoval(int first, int last);
  void onScanned();
  void beforeRewrite();
  void afterRewrite();
  void fitColumns();
  bool fold(bool isToUnfold);
  [[nodiscard]] bool isOnArrow(const QModelIndex& index, const QPoint& at) const;

  LogModel* model_;
  class LogDelegate* delegate_;
  QString emptyText_;
  std::optional<TimePoint> cursor_;
  bool isFollowing_ = true;
  bool isMovingItself_ = false;
  bool isEndAwaited_ = false;    // it will be scrolled to
  bool isPlaceAwaited_ = false;  // the line that was at the top has not been looked at by the filter yet
  std::uint64_t keptLine_ = 0;
  std::vector<std::uint64_t> keptSelection_;  // while many rows are put elsewhere
  std::optional<std::uint64_t> keptCurrent_;
};

}  // namespace lockstep
