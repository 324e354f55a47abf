// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRegularExpression>
#include <QStyledItemDelegate>

namespace lockstep {

/// Draws the cells of a LogModel.
class LogDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void setHighlight(const QRegularExpression& pattern) { highlight_ = pattern; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintText(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  void paintMatches(QPainter* painter, const QRect& rect, const QFontMetrics& metrics, const QString& text,
                    const QPalette& palette) const;
  QRegularExpression highlight_;
};

}  // namespace lockstep
