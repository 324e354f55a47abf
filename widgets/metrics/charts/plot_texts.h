// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFont>
#include <QPalette>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "widgets/metrics/charts/plotted_quantity.h"

namespace lockstep {

using PlottedQuantities = std::vector<std::unique_ptr<PlottedQuantity>>;

/// No rank has a sample of any.
[[nodiscard]] bool isEmpty(const PlottedQuantities& quantities);

/// How much a title says, where there is not room for all.
enum class TitleDetail {
  All,
  Ranks,  // not what a band is made of
  Name    // nor that steps are below it
};
/// Rich text: "Loss by step", and what stands for many ranks: their band, and who lies apart. Of several quantities how each
/// is drawn, and on which axis.
[[nodiscard]] QString titleText(const ChartSpec& spec, const PlottedQuantities& quantities, ChartXAxis axis,
                                const QPalette& colors, TitleDetail detail = TitleDetail::All);
/// Rich text: the name alone, as much of it as `room` pixels take.
[[nodiscard]] QString elidedTitle(const ChartSpec& spec, const QFont& font, int room);
/// Rich text behind it, where an axis was asked for that was not measured.
[[nodiscard]] QString notMeasuredText(ChartXAxis axis, const QPalette& colors);
/// Rich text: the colours of the ranks that have a curve, for a picture that is seen without the dashboard's legend. Empty:
/// none has, or the title says it.
[[nodiscard]] QString legendText(const PlottedQuantities& quantities, const QPalette& colors);
/// Plain text, as MetricPlot::textAlternative() says; of quantities that are not empty.
[[nodiscard]] QString spokenText(const PlottedQuantities& quantities);
/// Rich text, as MetricPlot::readoutAt() says; empty: there is nothing at that step. `where`: plain text behind the step.
[[nodiscard]] QStringList readoutLines(const PlottedQuantities& quantities, double step, const QString& where,
                                       const QPalette& colors);
/// The step at which there is something to read, nearest to `step`.
[[nodiscard]] std::optional<Step> nearestStep(const PlottedQuantities& quantities, double step);

}  // namespace lockstep
