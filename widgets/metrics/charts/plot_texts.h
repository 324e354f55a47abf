// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "metrics/metric_store.h"
#include "metrics/rank_spread.h"
#include "widgets/metrics/charts/metric_plot.h"

namespace lockstep {

/// What a MetricPlot has drawn of the ranks that are not hidden.
struct PlottedRanks {
  std::shared_ptr<const MetricStore> samples = std::make_shared<const MetricStore>();  // never null
  std::vector<Rank> curves;         // ranks with a curve of their own, ascending
  std::vector<RankSpread> spreads;  // of all of them, a column each; empty: there is no band
  std::size_t banded = 0;           // ranks in the band

  /// No rank has a sample of the quantity.
  [[nodiscard]] bool isEmpty(const PlotQuantity& quantity) const;
};

/// Rich text: "Loss by step", and what stands for many ranks: their band, and who lies apart.
[[nodiscard]] QString titleText(const PlottedRanks& ranks, const PlotQuantity& quantity,
                                const QPalette& colors);
/// Rich text: the colours of the ranks that have a curve, for a picture that is seen without the dashboard's legend. Empty:
/// none has, or the title says it.
[[nodiscard]] QString legendText(const PlottedRanks& ranks, const QPalette& colors);
/// Plain text, as MetricPlot::textAlternative() says; of ranks that are not empty.
[[nodiscard]] QString spokenText(const PlottedRanks& ranks, const PlotQuantity& quantity);
/// Rich text, as MetricPlot::readoutAt() says; empty: there is nothing at that step.
[[nodiscard]] QStringList readoutLines(const PlottedRanks& ranks, const PlotQuantity& quantity, double step,
                                       const QPalette& colors);

}  // namespace lockstep
