// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_views/step_bars.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/rank_views/view_colors.h"

namespace lockstep {
namespace {

constexpr int kGap = 6, kSwatch = 12, kAir = 6;
constexpr int kChosenWidth = 3;
constexpr std::size_t kUntold = kStepParts.size();

double wholeOf(const StepTimes& times) {
  return times.step.value_or(times.sumOfParts());
}

/// How long its bar is: parts may be measured that are more than the whole.
double lengthOf(const StepTimes& times) {
  return times.sumOfParts() + times.untold();
}

}  // namespace

StepPartKey::StepPartKey(std::size_t part, const QString& title, QWidget* parent)
    : QWidget(parent), part_(part), title_(title) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleRole(this, QAccessible::StaticText);
  setAccessibleName(title_);
}

QSize StepPartKey::sizeHint() const {
  return {kSwatch + kGap + fontMetrics().horizontalAdvance(title_) + kGap, fontMetrics().height() + 2};
}

void StepPartKey::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(0, (height() - kSwatch) / 2, kSwatch, kSwatch), stepPartColor(part_, palette()));
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(rect().adjusted(kSwatch + kGap, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, title_);
}

StepBars::StepBars(StepTexts texts, QWidget* parent) : QWidget(parent), texts_(std::move(texts)) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleRole(this, QAccessible::Chart);
  setAccessibleName(tr("Time of a step, by rank"));
}

void StepBars::setBars(std::vector<StepBar> bars) {
  bars_ = std::move(bars);
  longest_ = 0;
  labelWidth_ = totalWidth_ = 0;
  for (const StepBar& bar : bars_) {
    longest_ = std::max(longest_, lengthOf(bar.times));
    labelWidth_ = std::max(labelWidth_, fontMetrics().horizontalAdvance(bar.label));
    totalWidth_ = std::max(totalWidth_, fontMetrics().horizontalAdvance(texts_.text(wholeOf(bar.times))));
  }
  bar_ = std::min(bar_, bars_.empty() ? 0 : bars_.size() - 1);
  if (!bars_.empty()) setAccessibleDescription(part_ ? partText(bar_, *part_) : barText(bar_));
  updateGeometry();
  update();
}

void StepBars::setChosen(const std::set<Rank>& ranks) {
  if (ranks == chosen_) return;
  chosen_ = ranks;
  if (!bars_.empty() && !part_) setAccessibleDescription(barText(bar_));
  update();
}

QString StepBars::partText(std::size_t bar, std::size_t part) const {
  const StepTimes& times = bars_[bar].times;
  const QString title = part == kUntold ? tr("not told by any part") : texts_.parts[part];
  const auto ms = part == kUntold ? std::optional(times.untold()) : times.parts[part];
  if (!ms) return tr("%1, %2: not measured").arg(bars_[bar].name, title);
  const double whole = wholeOf(times);
  if (!(whole > 0)) return tr("%1, %2: %3").arg(bars_[bar].name, title, texts_.text(*ms));
  return tr("%1, %2: %3, %4 % of the step")
      .arg(bars_[bar].name, title, texts_.text(*ms), QLocale().toString(100 * *ms / whole, 'f', 1));
}

QString StepBars::barText(std::size_t bar) const {
  const StepTimes& times = bars_[bar].times;
  QString text = tr("%1: %2").arg(bars_[bar].name, texts_.text(wholeOf(times)));
  if (!times.step)
    text = tr("%1: %2 in all parts; the whole step is not measured")
               .arg(bars_[bar].name, texts_.text(wholeOf(times)));
  if (chosen_.contains(times.rank)) text = tr("%1 (chosen)").arg(text);
  QStringList missing;
  for (std::size_t part = 0; part < kStepParts.size(); ++part)
    if (!times.parts[part]) missing << texts_.parts[part];
  return missing.isEmpty() ? text : tr("%1. Not measured: %2").arg(text, missing.join(QStringLiteral(", ")));
}

int StepBars::rowHeight() const {
  return fontMetrics().height() + kAir + 2;
}

QSize StepBars::sizeHint() const {
  return {480, static_cast<int>(bars_.size()) * rowHeight() + kAir};
}

QRectF StepBars::barArea(std::size_t bar) const {
  const int left = labelWidth_ + 2 * kGap;
  const int width = std::max(20, this->width() - left - totalWidth_ - 2 * kGap);
  return QRectF(left, static_cast<int>(bar) * rowHeight() + kAir / 2.0, width, rowHeight() - kAir / 2.0);
}

std::vector<StepBars::Segment> StepBars::segmentsOf(std::size_t bar) const {
  std::vector<Segment> segments;
  if (!(longest_ > 0)) return segments;
  const StepTimes& times = bars_[bar].times;
  const QRectF area = barArea(bar);
  double x = area.left();
  for (std::size_t part = 0; part <= kUntold; ++part) {
    const double ms = std::max(0.0, part == kUntold ? times.untold() : times.parts[part].value_or(0));
    const double width = ms / longest_ * area.width();
    // What is left by rounding is no part.
    if (ms > 0 && (part < kUntold || width >= 1))
      segments.push_back({part, QRectF(x, area.top(), width, area.height()), ms});
    x += width;
  }
  return segments;
}

void StepBars::paintSegment(QPainter& painter, const Segment& segment) const {
  QRectF place = segment.place;
  if (segment.part == kUntold) {
    painter.fillRect(place, unmeasuredColor(palette()));
    painter.fillRect(place, unmeasuredBrush(palette()));
    return;
  }
  const QColor color = stepPartColor(segment.part, palette());
  // A thin line of the ground between parts tells them apart where colours do not.
  if (place.width() > 3) place.setWidth(place.width() - 1);
  painter.fillRect(place, color);
  const QString text = QLocale().toString(segment.ms, 'f', segment.ms < 9.95 ? 1 : 0);
  if (painter.fontMetrics().horizontalAdvance(text) + kGap > place.width()) return;
  painter.setPen(readableOn(color));
  painter.drawText(place, Qt::AlignCenter, text);
}

void StepBars::paintBar(QPainter& painter, std::size_t bar) const {
  const QRectF area = barArea(bar);
  const StepTimes& times = bars_[bar].times;
  const QColor text = palette().color(QPalette::WindowText);
  double end = area.left();
  for (const Segment& segment : segmentsOf(bar)) {
    paintSegment(painter, segment);
    end = segment.place.right();
    if (!hasFocus() || bar != bar_ || part_ != segment.part) continue;
    painter.setPen(QPen(text, 2));
    painter.drawRect(segment.place.adjusted(0, 0, -1, -1));
  }
  if (chosen_.contains(times.rank))
    painter.fillRect(QRectF(0, area.top(), kChosenWidth, area.height()), rankColor(times.rank, palette()));
  painter.setPen(times.isMedian ? mutedColor(palette()) : text);
  painter.drawText(QRectF(kGap, area.top(), labelWidth_ + 1, area.height()),
                   Qt::AlignRight | Qt::AlignVCenter, bars_[bar].label);
  painter.setPen(text);
  painter.drawText(QRectF(end + kGap, area.top(), totalWidth_ + kGap, area.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, texts_.text(wholeOf(times)));
  if (!hasFocus() || bar != bar_ || part_) return;
  painter.setPen(QPen(accentColor(palette()), 1.5));
  painter.drawRect(QRectF(1, area.top() - 1, width() - 2, area.height() + 1));
}

void StepBars::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  const int first = std::max(0, event->rect().top() / rowHeight() - 1);
  for (auto bar = static_cast<std::size_t>(first); bar < bars_.size(); ++bar) {
    if (barArea(bar).top() > event->rect().bottom()) break;
    paintBar(painter, bar);
  }
}

std::optional<std::size_t> StepBars::barAt(const QPointF& place) const {
  for (std::size_t bar = 0; bar < bars_.size(); ++bar)
    if (barArea(bar).adjusted(-width(), 0, width(), 0).contains(place)) return bar;
  return std::nullopt;
}

bool StepBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto bar = barAt(help->pos());
  if (!bar) {
    QToolTip::hideText();
    return true;
  }
  QString text = barText(*bar);
  for (const Segment& segment : segmentsOf(*bar))
    if (segment.place.contains(help->pos())) text = partText(*bar, segment.part);
  QToolTip::showText(help->globalPos(), plainToolTip(text), this);
  return true;
}

void StepBars::moveTo(std::size_t bar, std::optional<std::size_t> part) {
  bar_ = bar;
  part_ = part;
  setAccessibleDescription(part_ ? partText(bar_, *part_) : barText(bar_));
  update();
}

void StepBars::mousePressEvent(QMouseEvent* event) {
  const auto bar = barAt(event->position());
  if (event->button() != Qt::LeftButton || !bar) return QWidget::mousePressEvent(event);
  moveTo(*bar, std::nullopt);
  if (event->modifiers() & Qt::ControlModifier) emit rankToggled(bars_[*bar].times.rank);
}

void StepBars::mouseDoubleClickEvent(QMouseEvent* event) {
  const auto bar = barAt(event->position());
  if (event->button() == Qt::LeftButton && bar) emit rankActivated(bars_[*bar].times.rank);
}

bool StepBars::moveByKey(int key) {
  if (key == Qt::Key_Down)
    moveTo(std::min(bar_ + 1, bars_.size() - 1), part_);
  else if (key == Qt::Key_Up)
    moveTo(bar_ > 0 ? bar_ - 1 : 0, part_);
  else if (key == Qt::Key_Right)
    moveTo(bar_, part_ ? std::min(*part_ + 1, kUntold) : 0);
  else if (key == Qt::Key_Left)
    moveTo(bar_, part_.value_or(0) > 0 ? std::optional(*part_ - 1) : std::nullopt);
  else
    return false;
  return true;
}

void StepBars::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (bars_.empty()) return QWidget::keyPressEvent(event);
  const Rank rank = bars_[bar_].times.rank;
  if (key == Qt::Key_Return || key == Qt::Key_Enter) return emit rankActivated(rank);
  if (key == Qt::Key_Space) return emit rankToggled(rank);
  if (!moveByKey(key)) QWidget::keyPressEvent(event);
}

}  // namespace lockstep
