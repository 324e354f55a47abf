// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <qcustomplot.h>

#include <optional>

#include "metrics/drawing/step_scale.h"

namespace lockstep {

/// Ticks of an axis of steps: whole steps only, in the user's digits; from a million on in millions. With a scale they stand
/// where round epochs, times or samples are reached.
class StepTicker final : public QCPAxisTicker {
 public:
  void setScale(std::optional<StepScale> scale) { scale_ = std::move(scale); }
  [[nodiscard]] const std::optional<StepScale>& scale() const { return scale_; }

  void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision,
                QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) override;

 protected:
  double getTickStep(const QCPRange& range) override;
  int getSubTickCount(double tickStep) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  std::optional<StepScale> scale_;
};

/// What is reached at a step, as it is read out: "epoch 3", "1:02:03", "14:20:31", "1.2M samples"; empty for steps.
[[nodiscard]] QString reachedText(const StepScale& scale, double step);

}  // namespace lockstep
