// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_actions.h"

#include <QAction>
#include <QWidget>

#include "widgets/common/theme/theme.h"

namespace lockstep {

void addLogActions(QWidget* pane, QWidget* lines, const QList<LogAction>& actions) {
  lines->setContextMenuPolicy(Qt::ActionsContextMenu);
  for (const LogAction& each : actions) {
    auto* action = new QAction(each.text, lines);
    if (each.text.isEmpty()) {
      action->setSeparator(true);
      lines->addAction(action);
      continue;
    }
    if (!each.icon.isEmpty()) action->setIcon(themedIcon(each.icon));
    action->setShortcuts(each.keys);
    const bool isOfPane = each.where == LogAction::Where::Pane;
    action->setShortcutContext(isOfPane ? Qt::WidgetWithChildrenShortcut : Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, lines, [run = each.run] { run(); });
    lines->addAction(action);
    if (isOfPane) pane->addAction(action);
  }
}

}  // namespace lockstep
