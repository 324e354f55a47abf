// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_texts.h"

#include <QFontMetrics>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>

#include "widgets/common/text/number_text.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/metric_plot.h"

namespace lockstep {
namespace {

constexpr int kReadoutRanks = 12;
constexpr std::size_t kTitleRanks = 8;
constexpr double kFaded = 0.35;  // what stays of a colour

/// The column whose step is nearest; null: there is none.
const RankSpread* nearestTo(const std::vector<RankSpread>& spreads, double step) {
  const auto nearest = std::min_element(spreads.begin(), spreads.end(), [step](const auto& a, const auto& b) {
    return std::fabs(a.x - step) < std::fabs(b.x - step);
  });
  return nearest == spreads.end() ? nullptr : &*nearest;
}

QString colorMark(Rank rank, const QPalette& colors, bool isFaded = false) {
  const QColor color = rankColor(rank, colors);
  return QStringLiteral("<span style='color:%1'>■</span>")
      .arg((isFaded ? tinted(cardColor(colors), color, kFaded) : color).name());
}

QString faded(const QString& text, const QPalette& colors) {
  return QStringLiteral("<span style='color:%1'>%2</span>").arg(mutedColor(colors).name(), text);
}

/// "silent since 12:04:10", plain.
QString silentText(TimePoint since) {
  return MetricPlot::tr("silent since %1").arg(clockTimeText(since));
}

/// Nothing: it is not stale.
std::optional<TimePoint> staleSince(const PlottedRanks& ranks, Rank rank) {
  const auto found = ranks.stale.find(rank);
  return found == ranks.stale.end() ? std::nullopt : std::optional(found->second);
}

QString bandText(const PlottedRanks& ranks, const QPalette& colors, TitleDetail detail) {
  const int count = static_cast<int>(ranks.banded);
  QString text = detail == TitleDetail::All
                     ? MetricPlot::tr("%Ln ranks: median, 10–90 %, extremes", nullptr, count)
                     : MetricPlot::tr("%Ln ranks", nullptr, count);
  for (std::size_t i = 0; i < std::min(ranks.curves.size(), kTitleRanks); ++i)
    text += QStringLiteral(" %1 %2").arg(
        colorMark(ranks.curves[i], colors, ranks.stale.contains(ranks.curves[i])),
        QString::number(ranks.curves[i].value));
  if (ranks.curves.size() > kTitleRanks) text += QStringLiteral(" …");
  if (!ranks.stale.empty())
    text +=
        QStringLiteral(" · ") + MetricPlot::tr("%Ln silent", nullptr, static_cast<int>(ranks.stale.size()));
  return text;
}

QString axisText(ChartXAxis axis) {
  switch (axis) {
    case ChartXAxis::Steps:
      break;
    case ChartXAxis::Epoch:
      return MetricPlot::tr("by epoch");
    case ChartXAxis::RelativeTime:
      return MetricPlot::tr("by time since the first sample");
    case ChartXAxis::WallTime:
      return MetricPlot::tr("by time of day");
    case ChartXAxis::Samples:
      return MetricPlot::tr("by samples taken in");
  }
  return MetricPlot::tr("by step");
}

/// How the curves of a quantity are dashed, as PlottedQuantity::dashes().
QString dashMark(std::size_t place) {
  static const char* const kMarks[] = {"——", "– –", "····", "–·–", "—  —", "–··"};
  return QString::fromUtf8(kMarks[place % std::size(kMarks)]).toHtmlEscaped();
}

QString quantityText(const PlottedQuantity& quantity, std::size_t place, bool hasRight) {
  const QString title = quantity.line().quantity.title.toHtmlEscaped();
  const QString text = QStringLiteral("%1&nbsp;<b>%2</b>").arg(dashMark(place), title);
  return hasRight && quantity.line().axis == ValueAxis::Right ? MetricPlot::tr("%1 (right axis)").arg(text)
                                                              : text;
}

QString severalText(const ChartSpec& spec, const PlottedQuantities& quantities) {
  const bool hasRight =
      std::ranges::any_of(quantities, [](const auto& one) { return one->line().axis == ValueAxis::Right; });
  QStringList parts;
  for (std::size_t i = 0; i < quantities.size(); ++i) parts.append(quantityText(*quantities[i], i, hasRight));
  const QString all = parts.join(QStringLiteral(" &nbsp;"));
  return spec.title.isEmpty() ? all : QStringLiteral("<b>%1</b>: %2").arg(spec.title.toHtmlEscaped(), all);
}

QString stepText(Step step) {
  return MetricPlot::tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(step)));
}

/// "Rank 3: 1.234 at step 120, silent since 12:04:10."
QString spokenOf(const PlotQuantity& what, const PlottedRanks& ranks, Rank rank, const MetricPoint& last) {
  const QString value = what.text(last.value), step = countText(static_cast<double>(last.step));
  const auto since = staleSince(ranks, rank);
  return since ? MetricPlot::tr("Rank %1: %2 at step %3, %4.")
                     .arg(rank.value)
                     .arg(value, step, silentText(*since))
               : MetricPlot::tr("Rank %1: %2 at step %3.").arg(rank.value).arg(value, step);
}

void addSpoken(const PlottedQuantity& quantity, QStringList& parts) {
  const PlotQuantity& what = quantity.line().quantity;
  const PlottedRanks& ranks = quantity.ranks();
  const auto most = parts.size() + kReadoutRanks;
  parts.append(
      MetricPlot::tr("%1 of %Ln ranks.", nullptr, static_cast<int>(ranks.all.size())).arg(what.title));
  if (!ranks.spreads.empty()) {
    const RankSpread& newest = ranks.spreads.back();
    parts.append(MetricPlot::tr("Median %1, from %2 to %3, at step %4.")
                     .arg(what.text(newest.median), what.text(newest.min), what.text(newest.max),
                          countText(newest.x)));
  }
  for (const Rank rank : ranks.curves) {
    if (parts.size() > most) break;
    if (const auto last = ranks.newest(what, rank)) parts.append(spokenOf(what, ranks, rank, *last));
  }
  if (!ranks.spreads.empty() && !ranks.stale.empty())
    parts.append(MetricPlot::tr("%Ln ranks are silent.", nullptr, static_cast<int>(ranks.stale.size())));
}

/// Values at a step, one line each, up to `most` of them.
QStringList valueLines(const PlottedQuantity& quantity, double step, qsizetype most, const QPalette& colors) {
  const PlotQuantity& what = quantity.line().quantity;
  const PlottedRanks& ranks = quantity.ranks();
  QStringList lines;
  if (const RankSpread* spread = nearestTo(ranks.spreads, step))
    lines.append(MetricPlot::tr("Median: <b>%1</b>, %2 … %3")
                     .arg(what.text(spread->median), what.text(spread->min), what.text(spread->max)));
  for (const Rank rank : ranks.curves) {
    const auto point = ranks.nearest(what, rank, step);
    if (!point) continue;
    if (lines.size() >= most) {
      lines.append(QStringLiteral("…"));
      break;
    }
    const auto since = staleSince(ranks, rank);
    const QString line = QStringLiteral("%1 %2: <b>%3</b>")
                             .arg(colorMark(rank, colors, since.has_value()),
                                  MetricPlot::tr("Rank %1").arg(rank.value), what.text(point->value));
    lines.append(since ? faded(QStringLiteral("%1 · %2").arg(line, silentText(*since)), colors) : line);
  }
  return lines;
}

}  // namespace

bool isEmpty(const PlottedQuantities& quantities) {
  return std::ranges::all_of(quantities, [](const auto& one) { return one->ranks().all.empty(); });
}

QString titleText(const ChartSpec& spec, const PlottedQuantities& quantities, ChartXAxis axis,
                  const QPalette& colors, TitleDetail detail) {
  QStringList parts;
  if (detail != TitleDetail::Name || axis != ChartXAxis::Steps) parts << axisText(axis);
  if (!quantities.empty() && !quantities.front()->ranks().spreads.empty())
    parts << bandText(quantities.front()->ranks(), colors, detail);
  const QString what = parts.join(QStringLiteral(" · "));
  const QString head = quantities.size() > 1 ? severalText(spec, quantities)
                                             : QStringLiteral("<b>%1</b>").arg(spec.name().toHtmlEscaped());
  return QStringLiteral("%1 <span style='color:%2'>%3</span>").arg(head, mutedColor(colors).name(), what);
}

QString elidedTitle(const ChartSpec& spec, const QFont& font, int room) {
  QFont bold = font;
  bold.setBold(true);
  const QString shown = QFontMetrics(bold).elidedText(spec.name(), Qt::ElideRight, room);
  return QStringLiteral("<b>%1</b>").arg(shown.toHtmlEscaped());
}

QString notMeasuredText(ChartXAxis axis, const QPalette& colors) {
  QString text = MetricPlot::tr("times were not measured");
  if (axis == ChartXAxis::Epoch) text = MetricPlot::tr("epochs were not measured");
  if (axis == ChartXAxis::Samples) text = MetricPlot::tr("samples per step were not measured");
  return QStringLiteral("<span style='color:%1'> · %2</span>").arg(mutedColor(colors).name(), text);
}

QString legendText(const PlottedQuantities& quantities, const QPalette& colors) {
  std::map<Rank, std::optional<TimePoint>> ranks;  // since when nothing comes of it
  for (const auto& quantity : quantities) {
    if (!quantity->ranks().spreads.empty()) return {};
    for (const Rank rank : quantity->ranks().curves) ranks.emplace(rank, staleSince(quantity->ranks(), rank));
  }
  QStringList parts;
  for (const auto& [rank, since] : ranks) {
    const QString name = MetricPlot::tr("Rank %1").arg(rank.value);
    const QString text = (since ? QStringLiteral("%1, %2").arg(name, silentText(*since)) : name)
                             .toHtmlEscaped()
                             .replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
    parts.append(QStringLiteral("%1&nbsp;%2")
                     .arg(colorMark(rank, colors, since.has_value()), since ? faded(text, colors) : text));
  }
  return parts.join(QStringLiteral("&nbsp;&nbsp; "));
}

QString spokenText(const PlottedQuantities& quantities) {
  QStringList parts;
  for (const auto& quantity : quantities) addSpoken(*quantity, parts);
  return parts.join(QLatin1Char(' '));
}

QStringList readoutLines(const PlottedQuantities& quantities, double step, const QString& where,
                         const QPalette& colors) {
  QStringList lines;
  const qsizetype most = std::max<qsizetype>(1, kReadoutRanks / static_cast<qsizetype>(quantities.size()));
  for (const auto& quantity : quantities) {
    const QStringList values = valueLines(*quantity, step, most, colors);
    if (values.isEmpty()) continue;
    if (quantities.size() > 1)
      lines.append(QStringLiteral("<b>%1</b>").arg(quantity->line().quantity.title.toHtmlEscaped()));
    lines.append(values);
  }
  const auto at = nearestStep(quantities, step);
  if (lines.isEmpty() || !at) return {};
  lines.prepend(where.isEmpty() ? stepText(*at)
                                : QStringLiteral("%1 · %2").arg(stepText(*at), where.toHtmlEscaped()));
  return lines;
}

std::optional<Step> nearestStep(const PlottedQuantities& quantities, double step) {
  for (const auto& quantity : quantities) {
    const PlottedRanks& ranks = quantity->ranks();
    if (const RankSpread* spread = nearestTo(ranks.spreads, step)) return std::llround(spread->x);
    for (const Rank rank : ranks.curves)
      if (const auto point = ranks.nearest(quantity->line().quantity, rank, step)) return point->step;
  }
  return std::nullopt;
}

}  // namespace lockstep
