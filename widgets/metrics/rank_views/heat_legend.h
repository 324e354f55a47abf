// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>

#include "metrics/grid/value_scale.h"

namespace lockstep {

/// What the colours of a heat map say: the scale with its smallest and largest value and, where single values lie far from the
/// others, between which most are; and how cells look that were not measured, or are not a number.
class HeatLegend : public QWidget {
  Q_OBJECT
 public:
  explicit HeatLegend(QWidget* parent = nullptr);
  /// `text`: a value with its unit.
  void setScale(const ValueScale& scale, const std::function<QString(double)>& text);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int widthOf(const QString& text) const;

  ValueScale scale_;
  QString min_, max_;
  QString low_, high_;  // empty: nothing lies beyond
};

}  // namespace lockstep
