// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRegularExpression>
#include <QTableView>

#include "widgets/logs/log_model.h"

namespace lockstep {

/// Shows a LogModel: rows of one height, fixed-width text, the rank as a coloured chip. While it follows, the
/// newest line stays in sight; scrolling up ends that, coming back to the end (or End) takes it up again.
class LogTable : public QTableView {
  Q_OBJECT
 public:
  explicit LogTable(LogModel* model, QWidget* parent = nullptr);

  [[nodiscard]] bool isFollowing() const { return isFollowing_; }
  void setFollowing(bool follow);
  /// Marks what matches in every line; an empty pattern marks nothing.
  void setHighlight(const QRegularExpression& pattern);
  /// Said in the middle while there is no row.
  void setEmptyText(const QString& text);
  /// Call before and after the filter changes: the line at the top stays where it is as far as it is still
  /// shown.
  void keepPlace();
  void restorePlace();
  /// The selected lines as text, oldest first.
  [[nodiscard]] QString selectedText() const;

 public slots:
  void copySelection() const;

 signals:
  void followingChanged(bool follow);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void rowsInserted(const QModelIndex& parent, int first, int last) override;

 private:
  void onScrolled(int value);
  void afterInsertion(int first, int last);
  void afterRemoval(int first, int last);
  void fitColumns();

  LogModel* model_;
  class LogDelegate* delegate_;
  QString emptyText_;
  bool isFollowing_ = true;
  bool isMovingItself_ = false;
  std::size_t keptLine_ = 0;
};

}  // namespace lockstep
