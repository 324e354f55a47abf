// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_views/step_areas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/rank_views/heat_axes.h"
#include "widgets/metrics/rank_views/view_colors.h"

namespace lockstep {
namespace {

constexpr int kGap = 6;

QString number(Step step) {
  return QLocale().toString(static_cast<qlonglong>(step));
}

}  // namespace

StepAreas::StepAreas(StepTexts texts, QWidget* parent) : QWidget(parent), texts_(std::move(texts)) {
  setObjectName(QStringLiteral("stepAreas"));
  setAccessibleRole(this, QAccessible::Chart);
  setAccessibleName(tr("Step time over the steps"));
  setFocusPolicy(Qt::StrongFocus);
}

void StepAreas::setSource(std::shared_ptr<const MetricStore> metrics, Rank rank, double from, double to) {
  metrics_ = std::move(metrics);
  rank_ = rank;
  from_ = from;
  to_ = std::max(to, from + 1);
  computedFor_ = -1;
  update();
}

void StepAreas::setPointed(std::optional<Step> step) {
  if (std::exchange(pointed_, step) != step) update();
}

QRectF StepAreas::area() const {
  const QFontMetrics letters = fontMetrics();
  const int left = letters.horizontalAdvance(QStringLiteral("10.000 ms")) + kGap;
  return QRectF(rect()).adjusted(left, kGap, -kGap, -(letters.height() + kGap));
}

double StepAreas::stepAt(double x) const {
  return from_ + (x - area().left()) / std::max(1.0, area().width()) * (to_ - from_);
}

double StepAreas::xOf(double step) const {
  return area().left() + (step - from_) / (to_ - from_) * area().width();
}

void StepAreas::compute() const {
  const int pixels = std::max(1, static_cast<int>(area().width()));
  if (std::exchange(computedFor_, pixels) == pixels) return;
  columns_ = metrics_ ? stepTimesOver(*metrics_, rank_, {from_, to_, pixels}) : std::vector<StepColumn>();
  longest_ = 0;
  for (const StepColumn& one : columns_)
    longest_ = std::max({longest_, one.times.sumOfParts(), one.times.step.value_or(0)});
}

void StepAreas::paintEvent(QPaintEvent*) {
  compute();
  QPainter painter(this);
  const QRectF place = area();
  painter.fillRect(rect(), cardColor(palette()));
  if (longest_ > 0) paintColumns(painter, place);
  paintScale(painter, place);
  const auto line = [&](Step step, Qt::PenStyle style) {
    const double x = xOf(static_cast<double>(step));
    if (x < place.left() || x > place.right()) return;
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1, style));
    painter.drawLine(QLineF(x, place.top(), x, place.bottom()));
  };
  if (pointed_) line(*pointed_, Qt::SolidLine);
  if (cursor_ && hasFocus()) line(*cursor_, Qt::DashLine);
}

// A column reaches to the next one, so that steps that are wider than a pixel leave no gaps between them.
void StepAreas::paintColumns(QPainter& painter, const QRectF& place) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const StepColumn& one = columns_[i];
    const double left = xOf(static_cast<double>(one.first));
    const double right = std::max(left + 1, xOf(static_cast<double>(one.last) + 1));
    double bottom = place.bottom();
    const auto put = [&](double ms, const QBrush& brush) {
      const double height = ms / longest_ * place.height();
      painter.fillRect(QRectF(left, bottom - height, right - left, height).intersected(place), brush);
      bottom -= height;
    };
    for (std::size_t part = 0; part < kStepParts.size(); ++part)
      if (one.times.parts[part]) put(std::max(0.0, *one.times.parts[part]), stepPartColor(part, palette()));
    if (one.times.untold() > 0) put(one.times.untold(), unmeasuredBrush(palette()));
  }
}

void StepAreas::paintScale(QPainter& painter, const QRectF& place) const {
  painter.setPen(mutedColor(palette()));
  painter.drawLine(place.bottomLeft(), place.bottomRight());
  const int height = fontMetrics().height();
  for (const double share : {0.0, 0.5, 1.0}) {
    const double y = place.bottom() - share * place.height();
    const QRectF label(0, std::max(0.0, y - height / 2.0), place.left() - kGap, height);
    if (longest_ > 0)
      painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, texts_.text(share * longest_));
  }
  HeatView steps;
  steps.setBounds(from_, to_ + 1, 1);
  steps.showAll();
  paintStepLabels(painter, steps, place, tr("step"));
}

QStringList StepAreas::textsAt(double step) const {
  compute();
  const auto found = std::ranges::find_if(columns_, [step](const StepColumn& one) {
    return step >= static_cast<double>(one.first) && step < static_cast<double>(one.last) + 1;
  });
  if (found == columns_.end()) return {};
  const QString whole = texts_.text(found->times.step.value_or(found->times.sumOfParts()));
  QStringList texts{found->first == found->last
                        ? tr("Step %1: %2").arg(number(found->first), whole)
                        : tr("Steps %1 to %2: %3").arg(number(found->first), number(found->last), whole)};
  for (std::size_t part = 0; part < kStepParts.size(); ++part)
    if (const auto& ms = found->times.parts[part])
      texts << QStringLiteral("%1: %2").arg(texts_.parts[part], texts_.text(*ms));
  return texts;
}

bool StepAreas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* const help = static_cast<QHelpEvent*>(event);
  const QStringList texts = area().contains(help->pos()) ? textsAt(stepAt(help->pos().x())) : QStringList();
  texts.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), toolTipLines(texts), this);
  return true;
}

void StepAreas::keyPressEvent(QKeyEvent* event) {
  const int direction = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  if (direction == 0) return QWidget::keyPressEvent(event);
  const double pixel = std::max(1.0, (to_ - from_) / std::max(1.0, area().width()));
  const double at = cursor_ ? static_cast<double>(*cursor_) + direction * pixel : (from_ + to_) / 2;
  cursor_ = static_cast<Step>(std::llround(std::clamp(at, from_, to_)));
  setAccessibleDescription(textsAt(static_cast<double>(*cursor_)).join(QStringLiteral(", ")));
  update();
}

}  // namespace lockstep
