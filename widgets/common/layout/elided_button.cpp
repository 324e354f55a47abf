// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/elided_button.h"

#include <QStyleOptionButton>
#include <QStylePainter>

namespace lockstep {

QString ElidedButton::shownText() const {
  QStyleOptionButton option;
  initStyleOption(&option);
  int room = style()->subElementRect(QStyle::SE_PushButtonContents, &option, this).width();
  if (menu() != nullptr) room -= style()->pixelMetric(QStyle::PM_MenuButtonIndicator, &option, this);
  return fontMetrics().elidedText(text(), Qt::ElideRight, room, Qt::TextShowMnemonic);
}

void ElidedButton::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionButton option;
  initStyleOption(&option);
  option.text = shownText();
  painter.drawControl(QStyle::CE_PushButton, option);
}

}  // namespace lockstep
