// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/time/time_track.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/runs/time/time_texts.h"

namespace lockstep {
namespace {

using std::chrono::nanoseconds;

constexpr double kMargin = 9;  // on either side, for the handle
constexpr double kThin = 4, kThick = 14;
constexpr double kHandle = 6;  // radius
constexpr double kNear = 5;    // a mark is meant by a mouse that is so near
constexpr double kSmallStep = 0.01, kLargeStep = 0.1;

QColor colorOfMark(RunMark::Kind kind, const QPalette& palette) {
  switch (kind) {
    case RunMark::Kind::Restart:
      return warningColor(palette);
    case RunMark::Kind::Alert:
      return errorColor(palette);
    case RunMark::Kind::Checkpoint:
      return okColor(palette);
    case RunMark::Kind::Evaluation:
      break;
  }
  return mutedColor(palette);
}

/// A form of its own for each kind, so that none is told by colour alone: its tip is at the origin.
QPainterPath formOfMark(RunMark::Kind kind, double size) {
  QPainterPath path;
  if (kind == RunMark::Kind::Restart) {
    path.addPolygon(QPolygonF({{0, 0}, {-size, -2 * size}, {size, -2 * size}}));
  } else if (kind == RunMark::Kind::Alert) {
    path.addRect(-1, -2 * size, 2, size * 1.2);
    path.addEllipse(QPointF(0, -1.2), 1.3, 1.3);
  } else if (kind == RunMark::Kind::Checkpoint) {
    path.addPolygon(QPolygonF({{0, 0}, {-size, -size}, {0, -2 * size}, {size, -size}}));
  } else {
    path.addEllipse(QPointF(0, -size), size * 0.8, size * 0.8);
  }
  path.closeSubpath();
  return path;
}

}  // namespace

TimeTrack::TimeTrack(QWidget* parent) : QAbstractSlider(parent) {
  setOrientation(Qt::Horizontal);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Time of the run"));
  setEnabled(false);
  // Assistive technologies set the value; what is told to them is not asked for.
  connect(this, &QAbstractSlider::valueChanged, this, [this](int value) {
    if (!isTelling_ && span_) moveTo(span_->first + std::chrono::seconds(value));
  });
}

QSize TimeTrack::sizeHint() const {
  return {420, std::max(fontMetrics().height() + 6, 26)};
}

QSize TimeTrack::minimumSizeHint() const {
  return {160, sizeHint().height()};
}

void TimeTrack::setSpan(const std::optional<Span>& span, const std::optional<Span>& loaded) {
  if (span == span_ && loaded == loaded_) return;
  span_ = span;
  loaded_ = loaded;
  setEnabled(span_ && loaded_);
  updateValue();
  update();
}

void TimeTrack::setPosition(TimePoint time, bool isLive) {
  if (time == position_ && isLive == isLive_) return;
  position_ = time;
  isLive_ = isLive;
  updateValue();
  update();
}

void TimeTrack::setCursorTime(const std::optional<TimePoint>& time) {
  if (time == cursor_) return;
  cursor_ = time;
  update();
}

void TimeTrack::setChosen(const std::optional<Span>& chosen) {
  if (chosen == chosen_) return;
  chosen_ = chosen;
  update();
}

void TimeTrack::setMarks(std::vector<RunMark> marks) {
  if (marks == marks_) return;
  marks_ = std::move(marks);
  update();
}

nanoseconds TimeTrack::length() const {
  return span_ ? std::max(span_->second - span_->first, nanoseconds(1)) : nanoseconds(1);
}

void TimeTrack::updateValue() {
  isTelling_ = true;
  const auto seconds = [this](TimePoint time) {
    const auto since = span_ ? std::chrono::floor<std::chrono::seconds>(time - span_->first).count() : 0;
    return static_cast<int>(std::clamp<std::int64_t>(since, 0, std::numeric_limits<int>::max()));
  };
  setRange(0, span_ ? seconds(span_->second) : 0);
  setValue(seconds(position_));
  isTelling_ = false;
}

QRectF TimeTrack::groove() const {
  return {kMargin, 0, std::max(1.0, width() - 2 * kMargin), static_cast<double>(height())};
}

double TimeTrack::placeOf(TimePoint time) const {
  if (!span_) return groove().left();
  const double share =
      static_cast<double>((time - span_->first).count()) / static_cast<double>(length().count());
  return groove().left() + std::clamp(share, 0.0, 1.0) * groove().width();
}

TimePoint TimeTrack::timeAt(double x) const {
  if (!span_) return {};
  const double share = std::clamp((x - groove().left()) / groove().width(), 0.0, 1.0);
  return span_->first + nanoseconds(static_cast<std::int64_t>(share * static_cast<double>(length().count())));
}

void TimeTrack::moveTo(TimePoint time) {
  if (!span_ || !loaded_) return;
  if (time >= loaded_->second) {
    emit liveRequested();
  } else {
    emit moved(std::max(time, loaded_->first));
  }
}

void TimeTrack::moveBy(double share) {
  moveTo(position_ + nanoseconds(static_cast<std::int64_t>(share * static_cast<double>(length().count()))));
}

void TimeTrack::moveToMark(bool isNext) {
  if (!loaded_) return;
  const auto behind = std::ranges::upper_bound(marks_, position_, {}, &RunMark::time);
  const auto from = std::ranges::lower_bound(marks_, position_, {}, &RunMark::time);
  if (isNext) return moveTo(behind == marks_.end() ? loaded_->second : behind->time);
  moveTo(from == marks_.begin() ? loaded_->first : (from - 1)->time);
}

/// The end that moves is where the time is not.
void TimeTrack::chooseBy(double share) {
  if (!span_) return;
  const auto by = nanoseconds(static_cast<std::int64_t>(share * static_cast<double>(length().count())));
  if (!anchor_ || !chosen_) anchor_ = position_;
  const TimePoint other = !chosen_ ? *anchor_ : chosen_->first == *anchor_ ? chosen_->second : chosen_->first;
  const TimePoint moved = std::clamp(other + by, span_->first, span_->second);
  emit chosen(std::min(moved, *anchor_), std::max(moved, *anchor_));
}

void TimeTrack::keyPressEvent(QKeyEvent* event) {
  const bool isForward = event->key() == Qt::Key_Right || event->key() == Qt::Key_PageUp;
  const double sign = isForward ? 1 : -1;
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (event->modifiers() & Qt::ControlModifier) return moveToMark(isForward);
      if (event->modifiers() & Qt::ShiftModifier) return chooseBy(sign * kSmallStep);
      return moveBy(sign * kSmallStep);
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      return moveBy(sign * kLargeStep);
    case Qt::Key_Home:
      return moveTo(loaded_ ? loaded_->first : TimePoint{});
    case Qt::Key_End:
      emit liveRequested();
      return;
    case Qt::Key_Escape:
      if (chosen_) {
        emit choiceForgotten();
        return;
      }
      [[fallthrough]];
    default:
      event->ignore();
  }
}

void TimeTrack::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !span_) return event->ignore();
  const TimePoint time = timeAt(event->position().x());
  if (event->modifiers() & Qt::ShiftModifier) {
    anchor_ = time;
    return;
  }
  anchor_.reset();
  moveTo(time);
}

void TimeTrack::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton) || !span_) return event->ignore();
  const TimePoint time = timeAt(event->position().x());
  if (!anchor_) return moveTo(time);
  setChosen(Span(std::min(time, *anchor_), std::max(time, *anchor_)));
}

void TimeTrack::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !anchor_ || !span_) return;
  const TimePoint time = timeAt(event->position().x());
  const bool isStretch = std::abs(placeOf(time) - placeOf(*anchor_)) >= 2;
  if (isStretch) {
    emit chosen(std::min(time, *anchor_), std::max(time, *anchor_));
  } else {
    emit choiceForgotten();
  }
}

// It stands among what scrolls and zooms by the wheel: the time is not moved by accident.
void TimeTrack::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

void TimeTrack::changeEvent(QEvent* event) {
  QAbstractSlider::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
}

QString TimeTrack::textAt(double x) const {
  QStringList lines{momentText(timeAt(x), length())};
  for (const RunMark& mark : marks_)
    if (std::abs(placeOf(mark.time) - x) <= kNear && lines.size() < 6) lines << markText(mark);
  return lines.join(QLatin1Char('\n'));
}

bool TimeTrack::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !span_) return QAbstractSlider::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), plainToolTip(textAt(help->pos().x())), this);
  return true;
}

void TimeTrack::paintStretch(QPainter& painter, const Span& span, const QColor& color, double height) const {
  const double from = placeOf(span.first), to = placeOf(span.second);
  QRectF rect(from, 0, std::max(1.0, to - from), height);
  rect.moveTop((this->height() - height) / 2);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRoundedRect(rect, std::min(2.0, height / 2), std::min(2.0, height / 2));
}

void TimeTrack::paintMark(QPainter& painter, const RunMark& mark) const {
  painter.save();
  painter.translate(placeOf(mark.time), height() / 2.0 - kThin);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colorOfMark(mark.kind, palette()));
  painter.drawPath(formOfMark(mark.kind, std::min(4.0, height() / 6.0)));
  painter.restore();
}

void TimeTrack::paintHandle(QPainter& painter) const {
  const QPointF center(placeOf(position_), height() / 2.0);
  painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
  painter.setBrush(accentColor(palette()));
  painter.drawEllipse(center, kHandle, kHandle);
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(accentColor(palette()), 1.5));
  painter.drawEllipse(center, kHandle + 2, kHandle + 2);
}

void TimeTrack::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF line = groove();
  painter.setPen(Qt::NoPen);
  painter.setBrush(borderColor(palette()));
  painter.drawRoundedRect(QRectF(line.left(), (height() - kThin) / 2, line.width(), kThin), 2, 2);
  if (!span_ || !loaded_) return;
  QColor chosen = accentColor(palette());
  chosen.setAlphaF(0.3F);
  if (chosen_) paintStretch(painter, *chosen_, chosen, kThick);
  paintStretch(painter, *loaded_, mutedColor(palette()), kThin);
  paintStretch(painter, {loaded_->first, position_}, accentColor(palette()), kThin);
  for (const RunMark& mark : marks_) paintMark(painter, mark);
  if (cursor_) {
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1));
    const double x = std::round(placeOf(*cursor_)) + 0.5;
    painter.drawLine(QPointF(x, 2), QPointF(x, height() - 2));
  }
  paintHandle(painter);
}

}  // namespace lockstep
