// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/elided_label.h"

#include <QPainter>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

ElidedLabel::ElidedLabel(QWidget* parent) : ElidedLabel(QString(), parent) {}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QFrame(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleRole(this, QAccessible::StaticText);
  setText(text);
}

void ElidedLabel::setText(const QString& text) {
  if (text == text_) return;
  text_ = text;
  setAccessibleName(text);
  updateToolTip();
  updateGeometry();
  update();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
  mode_ = mode;
  update();
}

void ElidedLabel::setMuted(bool muted) {
  muted_ = muted;
  update();
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(text_) + 2, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(QStringLiteral("abc…")), fontMetrics().height() + 2};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(muted_ ? mutedColor(palette()) : palette().color(QPalette::WindowText));
  const QString shown = fontMetrics().elidedText(text_, mode_, contentsRect().width());
  painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine, shown);
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  updateToolTip();
}

void ElidedLabel::updateToolTip() {
  const bool cut = fontMetrics().horizontalAdvance(text_) > contentsRect().width();
  setToolTip(cut ? plainToolTip(text_) : QString());
}

}  // namespace lockstep
