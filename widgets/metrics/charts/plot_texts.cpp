// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_texts.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/number_text.h"

namespace lockstep {
namespace {

constexpr int kReadoutRanks = 12;
constexpr std::size_t kTitleRanks = 8;

/// The column whose step is nearest; null: there is none.
const RankSpread* nearestTo(const std::vector<RankSpread>& spreads, double step) {
  const auto nearest = std::min_element(spreads.begin(), spreads.end(), [step](const auto& a, const auto& b) {
    return std::fabs(a.x - step) < std::fabs(b.x - step);
  });
  return nearest == spreads.end() ? nullptr : &*nearest;
}

QString colorMark(Rank rank, const QPalette& colors) {
  return QStringLiteral("<span style='color:%1'>■</span>").arg(rankColor(rank, colors).name());
}

QString bandText(const PlottedRanks& ranks, const QPalette& colors) {
  QString text = QStringLiteral(" · ") + MetricPlot::tr("%n ranks: median, 10–90 %, extremes", nullptr,
                                                        static_cast<int>(ranks.banded));
  for (std::size_t i = 0; i < std::min(ranks.curves.size(), kTitleRanks); ++i)
    text += QStringLiteral(" %1 %2").arg(colorMark(ranks.curves[i], colors),
                                         QString::number(ranks.curves[i].value));
  if (ranks.curves.size() > kTitleRanks) text += QStringLiteral(" …");
  return text;
}

QString stepText(Step step) {
  return MetricPlot::tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(step)));
}

}  // namespace

bool PlottedRanks::isEmpty(const PlotQuantity& quantity) const {
  return samples->ranks(quantity.metric).empty();
}

QString titleText(const PlottedRanks& ranks, const PlotQuantity& quantity, const QPalette& colors) {
  QString what = MetricPlot::tr("by step");
  if (!ranks.spreads.empty()) what += bandText(ranks, colors);
  return QStringLiteral("<b>%1</b> <span style='color:%2'>%3</span>")
      .arg(quantity.title.toHtmlEscaped(), mutedColor(colors).name(), what);
}

QString legendText(const PlottedRanks& ranks, const QPalette& colors) {
  if (!ranks.spreads.empty()) return {};
  QStringList parts;
  for (const Rank rank : ranks.curves)
    parts.append(QStringLiteral("%1&nbsp;%2")
                     .arg(colorMark(rank, colors), MetricPlot::tr("Rank %1")
                                                       .arg(rank.value)
                                                       .toHtmlEscaped()
                                                       .replace(QLatin1Char(' '), QStringLiteral("&nbsp;"))));
  return parts.join(QStringLiteral("&nbsp;&nbsp; "));
}

QString spokenText(const PlottedRanks& ranks, const PlotQuantity& quantity) {
  const auto all = ranks.samples->ranks(quantity.metric);
  QStringList parts{
      MetricPlot::tr("%1 of %n ranks.", nullptr, static_cast<int>(all.size())).arg(quantity.title)};
  if (!ranks.spreads.empty()) {
    const RankSpread& newest = ranks.spreads.back();
    parts.append(MetricPlot::tr("Median %1, from %2 to %3, at step %4.")
                     .arg(quantity.text(newest.median), quantity.text(newest.min), quantity.text(newest.max),
                          countText(newest.x)));
  }
  for (const Rank rank : ranks.curves) {
    if (parts.size() > kReadoutRanks) break;
    const auto last = ranks.samples->last(quantity.metric, rank);
    if (last)
      parts.append(MetricPlot::tr("Rank %1: %2 at step %3.")
                       .arg(rank.value)
                       .arg(quantity.text(last->value), countText(static_cast<double>(last->step))));
  }
  return parts.join(QLatin1Char(' '));
}

QStringList readoutLines(const PlottedRanks& ranks, const PlotQuantity& quantity, double step,
                         const QPalette& colors) {
  QStringList lines;
  if (const RankSpread* spread = nearestTo(ranks.spreads, step)) {
    lines.append(stepText(std::llround(spread->x)));
    lines.append(
        MetricPlot::tr("Median: <b>%1</b>, %2 … %3")
            .arg(quantity.text(spread->median), quantity.text(spread->min), quantity.text(spread->max)));
  }
  for (const Rank rank : ranks.curves) {
    const auto point = ranks.samples->nearest(quantity.metric, rank, step);
    if (!point) continue;
    if (lines.isEmpty()) lines.append(stepText(point->step));
    if (lines.size() > kReadoutRanks) {
      lines.append(QStringLiteral("…"));
      break;
    }
    lines.append(QStringLiteral("%1 %2: <b>%3</b>")
                     .arg(colorMark(rank, colors), MetricPlot::tr("Rank %1").arg(rank.value),
                          quantity.text(point->value)));
  }
  return lines;
}

}  // namespace lockstep
