// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/elided_combo.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace lockstep {

QString ElidedCombo::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect field =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  constexpr int kMargins = 2;  // that styles leave beside the text
  return fontMetrics().elidedText(option.currentText, Qt::ElideRight, field.width() - kMargins);
}

void ElidedCombo::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.currentText = shownText();
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace lockstep
