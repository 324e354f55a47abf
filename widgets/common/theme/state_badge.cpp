// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/theme/state_badge.h"

#include <QPainter>

#include "widgets/common/access/accessible_role.h"

namespace lockstep {
namespace {
constexpr int kPad = 8;
constexpr int kGap = 5;
}  // namespace

QIcon iconFor(BadgeTone tone) {
  switch (tone) {
    case BadgeTone::Busy:
      return themedIcon(QStringLiteral("busy"), IconColor::Accent);
    case BadgeTone::Info:
      return themedIcon(QStringLiteral("info"), IconColor::Accent);
    case BadgeTone::Ok:
      return themedIcon(QStringLiteral("ok"), IconColor::Ok);
    case BadgeTone::Warning:
      return themedIcon(QStringLiteral("warning"), IconColor::Warning);
    case BadgeTone::Error:
      return themedIcon(QStringLiteral("error"), IconColor::Error);
    case BadgeTone::Off:
      return themedIcon(QStringLiteral("off"), IconColor::Muted);
    case BadgeTone::Skipped:
      return themedIcon(QStringLiteral("skipped"), IconColor::Muted);
    case BadgeTone::Neutral:
      break;
  }
  return themedIcon(QStringLiteral("unknown"), IconColor::Muted);
}

QColor colorFor(BadgeTone tone, const QPalette& palette) {
  switch (tone) {
    case BadgeTone::Busy:
    case BadgeTone::Info:
      return accentColor(palette);
    case BadgeTone::Ok:
      return okColor(palette);
    case BadgeTone::Warning:
      return warningColor(palette);
    case BadgeTone::Error:
      return errorColor(palette);
    case BadgeTone::Neutral:
    case BadgeTone::Off:
    case BadgeTone::Skipped:
      break;
  }
  return mutedColor(palette);
}

StateBadge::StateBadge(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleRole(this, QAccessible::StaticText);
}

void StateBadge::setState(BadgeTone tone, const QString& text) {
  if (tone == tone_ && text == text_) return;
  tone_ = tone;
  text_ = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

QSize StateBadge::sizeHint() const {
  const int height = fontMetrics().height() + 8;
  const int icon = fontMetrics().height();
  return {2 * kPad + icon + kGap + fontMetrics().horizontalAdvance(text_) + 2, height};
}

void StateBadge::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = colorFor(tone_, palette());
  const QRectF pill = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tinted(palette().color(QPalette::Window), ink));
  painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
  const int side = fontMetrics().height();
  const bool mirrored = layoutDirection() == Qt::RightToLeft;
  const QRect icon(mirrored ? width() - kPad - side : kPad, (height() - side) / 2, side, side);
  iconFor(tone_).paint(&painter, icon);
  painter.setPen(ink);
  const QRect words = mirrored ? rect().adjusted(kPad, 0, -kPad - side - kGap, 0)
                               : rect().adjusted(kPad + side + kGap, 0, -kPad, 0);
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine, text_);
}

}  // namespace lockstep
