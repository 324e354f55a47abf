// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "metrics/grid/step_times.h"
#include "widgets/metrics/rank_views/step_bars.h"

namespace lockstep {

/// What the steps of one rank are made of, over time: the parts on top of each other, a column of pixels the mean of its steps.
/// Nothing stands where nothing was measured. A tool tip says a column, and by keyboard the arrows do, left and right.
class StepAreas : public QWidget {
  Q_OBJECT
 public:
  explicit StepAreas(StepTexts texts, QWidget* parent = nullptr);

  /// The steps [from, to] of that rank; null: there are none. Cost: pixels x parts, when it is painted.
  void setSource(std::shared_ptr<const MetricStore> metrics, Rank rank, double from, double to);
  /// A line at that step, to which something else on the page points.
  void setPointed(std::optional<Step> step);
  /// "Steps 120 to 123: 85 ms", "Forward: 20 ms", "Backward: 41 ms"; empty: nothing was measured there.
  [[nodiscard]] QStringList textsAt(double step) const;

  [[nodiscard]] QSize sizeHint() const override { return {400, 200}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {160, 90}; }

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] QRectF area() const;
  [[nodiscard]] double stepAt(double x) const;
  [[nodiscard]] double xOf(double step) const;
  void compute() const;
  void paintColumns(QPainter& painter, const QRectF& area) const;
  void paintScale(QPainter& painter, const QRectF& area) const;

  StepTexts texts_;
  std::shared_ptr<const MetricStore> metrics_;
  Rank rank_{0};
  double from_ = 0, to_ = 1;
  std::optional<Step> pointed_, cursor_;
  // Of computedFor_ pixels.
  mutable int computedFor_ = -1;
  mutable std::vector<StepColumn> columns_;
  mutable double longest_ = 0;  // ms
};

}  // namespace lockstep
