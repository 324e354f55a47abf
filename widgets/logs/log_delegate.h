// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStyledItemDelegate>

#include "widgets/logs/log_text.h"

namespace lockstep {

/// Draws the cells of a LogModel: marks and the shared cursor before the time, the rank as a chip, the text with its
/// colours, and how many lines a row stands for.
class LogDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void setHighlights(const QList<LogHighlight>& highlights) { highlights_ = highlights; }
  /// -1: no row.
  void setCursorRow(int row) { cursorRow_ = row; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  /// Room before the time, for marks, and before the text, for what folds and unfolds.
  [[nodiscard]] static int gutterWidth(const QFontMetrics& metrics);

 private:
  void paintTime(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  void paintText(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;

  QList<LogHighlight> highlights_;
  int cursorRow_ = -1;
};

}  // namespace lockstep
