// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QKeySequence>
#include <QList>
#include <functional>

class QAction;
class QString;
class QWidget;

namespace lockstep {

/// A command of the log pane, in its menu and by its keys.
struct LogAction {
  enum class Where {
    Pane,
    Lines
  };  // keys count in all of the pane, or while lines have the focus: single letters
  QString text;
  QString icon;  // may be empty
  Where where;
  QList<QKeySequence> keys;
  std::function<void()> run;
};

/// Adds the commands to the pane and to the context menu of `lines`, in this order; an empty text parts them. Each is there
/// once, and its first keys are shown.
void addLogActions(QWidget* pane, QWidget* lines, const QList<LogAction>& actions);

}  // namespace lockstep
