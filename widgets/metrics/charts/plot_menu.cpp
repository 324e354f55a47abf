// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_menu.h"

#include <QAction>
#include <QMenu>

#include "widgets/common/theme/theme.h"

namespace lockstep {

PlotMenu::PlotMenu(const QString& title, QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("plotMenu"));
  setIcon(themedIcon(QStringLiteral("more")));
  setAutoRaise(true);
  setPopupMode(QToolButton::InstantPopup);
  setToolTip(tr("Copy or save this chart"));
  setTitle(title);
  auto* const menu = new QMenu(this);
  const auto add = [&](const char* name, const QString& icon, const QString& text, auto signal) {
    QAction* const action = menu->addAction(themedIcon(icon), text);
    action->setObjectName(QString::fromLatin1(name));
    connect(action, &QAction::triggered, this, signal);
    ofData_ << action;
  };
  add("copyPicture", QStringLiteral("copy"), tr("&Copy picture"), &PlotMenu::copyPicture);
  add("savePicture", QStringLiteral("export"), tr("Save &picture …"), &PlotMenu::savePicture);
  add("saveValues", QStringLiteral("save"), tr("Save the &values in sight …"), &PlotMenu::saveValues);
  setMenu(menu);
  setHasData(false);
}

void PlotMenu::setTitle(const QString& title) {
  setAccessibleName(tr("%1: copy or save").arg(title));
}

void PlotMenu::setHasData(bool hasData) {
  for (QAction* const action : ofData_) action->setEnabled(hasData);
}

void PlotMenu::showAt(const QPoint& global) {
  menu()->popup(global);
}

}  // namespace lockstep
