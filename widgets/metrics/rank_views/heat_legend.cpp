// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_views/heat_legend.h"

#include <QPainter>
#include <algorithm>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/rank_views/view_colors.h"

namespace lockstep {
namespace {

constexpr int kBar = 120, kBarWithMore = 180;  // wide
constexpr int kGap = 6, kSwatch = 14;

}  // namespace

HeatLegend::HeatLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleRole(this, QAccessible::Graphic);
  setAccessibleName(tr("Colors"));
}

void HeatLegend::setScale(const ValueScale& scale, const std::function<QString(double)>& text) {
  scale_ = scale;
  min_ = scale.isEmpty ? QString() : text(scale.min);
  max_ = scale.isEmpty ? QString() : text(scale.max);
  low_ = scale.hasBelow() ? text(scale.low) : QString();
  high_ = scale.hasAbove() ? text(scale.high) : QString();
  const QString all = scale.isEmpty ? tr("No values.") : tr("From %1 (dark) to %2 (bright).").arg(min_, max_);
  const bool isBeyond = !low_.isEmpty() || !high_.isEmpty();
  const QString most = tr("Nearly all values lie between %1 and %2, and have most of the colors.")
                           .arg(low_.isEmpty() ? min_ : low_, high_.isEmpty() ? max_ : high_);
  const QString shared =
      tr("Where several steps or ranks share a pixel, it has the value that is furthest from the median.");
  setToolTip(toolTipLines(isBeyond ? QStringList{all, most, shared} : QStringList{all, shared}));
  setAccessibleDescription(isBeyond ? all + QLatin1Char(' ') + most : all);
  updateGeometry();
  update();
}

int HeatLegend::widthOf(const QString& text) const {
  return text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(text) + kGap;
}

QSize HeatLegend::sizeHint() const {
  const int bar = low_.isEmpty() && high_.isEmpty() ? kBar : kBarWithMore;
  const int inner = widthOf(low_) + widthOf(high_) + 2 * kGap;
  const int swatches = 2 * (kSwatch + 2 * kGap) + widthOf(tr("not measured")) + widthOf(tr("not a number"));
  return {widthOf(min_) + std::max(bar, inner * 10 / 7) + kGap + widthOf(max_) + swatches,
          fontMetrics().height() + 8};
}

void HeatLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QColor text = palette().color(QPalette::WindowText);
  const int swatches = 2 * (kSwatch + 2 * kGap) + widthOf(tr("not measured")) + widthOf(tr("not a number"));
  const QRect bar(widthOf(min_), 3, std::max(1, width() - swatches - widthOf(min_) - widthOf(max_) - kGap),
                  height() - 6);
  painter.setPen(text);
  painter.drawText(QRect(0, 0, bar.left(), height()), Qt::AlignVCenter | Qt::AlignLeft, min_);
  painter.drawText(QRect(bar.right() + 1 + kGap, 0, widthOf(max_), height()),
                   Qt::AlignVCenter | Qt::AlignLeft, max_);
  for (int x = 0; x < bar.width() && !scale_.isEmpty; ++x)
    painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(),
                     QColor(scaleColor(x / std::max(1.0, bar.width() - 1.0))));
  const auto mark = [&](const QString& label, double position, Qt::Alignment side) {
    if (label.isEmpty()) return;
    const int x = bar.left() + static_cast<int>(position * bar.width());
    painter.setPen(side == Qt::AlignLeft ? Qt::white : Qt::black);
    painter.drawLine(x, bar.top(), x, bar.bottom());
    const QRect place(side == Qt::AlignLeft ? x + kGap / 2 : x - kGap / 2 - widthOf(label), bar.top(),
                      widthOf(label), bar.height());
    painter.drawText(place, static_cast<int>(Qt::AlignVCenter | side), label);
  };
  mark(low_, ValueScale::kShareBeyond, Qt::AlignLeft);
  mark(high_, 1 - ValueScale::kShareBeyond, Qt::AlignRight);
  int x = width() - swatches + 2 * kGap;
  const auto swatch = [&](const QBrush& ground, const QBrush& over, const QString& label) {
    const QRect place(x, (height() - kSwatch) / 2, kSwatch, kSwatch);
    painter.fillRect(place, ground);
    painter.fillRect(place, over);
    painter.setPen(text);
    painter.drawText(QRect(place.right() + kGap, 0, widthOf(label), height()),
                     Qt::AlignVCenter | Qt::AlignLeft, label);
    x = place.right() + 2 * kGap + widthOf(label);
  };
  swatch(unmeasuredColor(palette()), unmeasuredBrush(palette()), tr("not measured"));
  swatch(QColor(gapColor()), Qt::NoBrush, tr("not a number"));
}

}  // namespace lockstep
