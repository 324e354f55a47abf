// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/follow_button.h"

#include <QCoreApplication>
#include <QToolButton>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/log_table.h"

namespace lockstep {

QToolButton* makeFollowButton(LogTable* table, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setCheckable(true);
  button->setChecked(table->isFollowing());
  button->setText(QCoreApplication::translate("FollowButton", "Follow"));
  button->setIcon(themedIcon(QStringLiteral("follow")));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setToolTip(plainToolTip(QCoreApplication::translate(
      "FollowButton", "Keep the newest line in sight (End). Scrolling up ends it.")));
  button->setAutoRaise(true);
  QObject::connect(button, &QToolButton::toggled, table, &LogTable::setFollowing);
  QObject::connect(table, &LogTable::followingChanged, button, &QToolButton::setChecked);
  return button;
}

}  // namespace lockstep
