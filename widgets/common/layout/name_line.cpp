// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/name_line.h"

#include <QPainter>
#include <QStyleOptionFrame>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kSideMargin = 2;  // as QLineEdit has it
constexpr int kGap = 10;

}  // namespace

void NameLine::setName(const QString& name) {
  const QString line = name.simplified();
  if (line == name_) return;
  name_ = line;
  update();
}

void NameLine::paintEvent(QPaintEvent* event) {
  if (name_.isEmpty() || hasFocus() || text().isEmpty()) return QLineEdit::paintEvent(event);
  QPainter painter(this);
  QStyleOptionFrame panel;
  initStyleOption(&panel);
  style()->drawPrimitive(QStyle::PE_PanelLineEdit, &panel, &painter, this);
  const QMargins margins = textMargins();
  QRect room = style()->subElementRect(QStyle::SE_LineEditContents, &panel, this).marginsRemoved(margins);
  room.adjust(kSideMargin, 0, -kSideMargin, 0);
  constexpr int kFlags = Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine;
  const QString shown = fontMetrics().elidedText(name_, Qt::ElideRight, room.width());
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(room, kFlags, shown);
  room.setLeft(room.left() + fontMetrics().horizontalAdvance(shown) + kGap);
  if (name_ == text() || room.width() < fontMetrics().averageCharWidth() * kGap) return;
  painter.setPen(mutedColor(palette()));
  painter.drawText(room, kFlags, fontMetrics().elidedText(text(), Qt::ElideMiddle, room.width()));
}

}  // namespace lockstep
