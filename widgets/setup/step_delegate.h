// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStyledItemDelegate>
#include <QTimer>

class QAbstractItemView;

namespace lockstep {

/// A step in the list: its icon, its number and title, and below them the state in words. The icon of a step
/// that is being checked turns.
class StepDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  explicit StepDelegate(QAbstractItemView* view);
  /// Whether some step is being checked.
  void setTurning(bool isTurning);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintIcon(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                 const QRect& place) const;

  QTimer timer_;
  int degrees_ = 0;
};

}  // namespace lockstep
