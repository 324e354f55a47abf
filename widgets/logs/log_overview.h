// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/logs/log_model.h"

namespace lockstep {

class LogTable;

/// A strip beside a log that stands for all its rows: where errors and warnings, matches and marks are, each in a lane of
/// its own, and which part is in sight. A click goes there. Costs pixels times the logarithm of the lines.
class LogOverview : public QWidget {
  Q_OBJECT
 public:
  /// `matches` shows what is searched for; both outlive this.
  LogOverview(LogTable* table, const LogModel* matches, QWidget* parent = nullptr);

  /// What one pixel of `height` stands for.
  struct Counts {
    std::uint64_t errors = 0, warnings = 0, matches = 0, marks = 0;
  };
  [[nodiscard]] Counts countsAt(int pixel, int height) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {sizeHint().width(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void goTo(const QPoint& at);
  void describe();
  [[nodiscard]] int rowAtPixel(int pixel, int height) const;
  [[nodiscard]] std::uint64_t lineAtRow(int row) const;

  LogTable* table_;
  const LogModel* model_;
  const LogModel* matches_;
};

}  // namespace lockstep
