// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSplitter>

namespace lockstep {

/// Panes side by side where there is room for all of them, else one below the other. So it can be as narrow
/// as its widest pane.
class FoldingSplitter : public QSplitter {
 public:
  explicit FoldingSplitter(QWidget* parent = nullptr) : QSplitter(Qt::Horizontal, parent) {}

  [[nodiscard]] bool isFolded() const { return orientation() == Qt::Vertical; }
  /// Of the panes side by side, also while they are not.
  [[nodiscard]] QByteArray saveState() const;
  bool restoreState(const QByteArray& state);

  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fold();
  [[nodiscard]] QList<int> minWidths() const;

  QByteArray sideBySide_;  // while folded
};

}  // namespace lockstep
