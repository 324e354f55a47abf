// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAccessible>

class QApplication;
class QWidget;

namespace lockstep {

/// Gives lists, flat tables and trees, and rows of tabs interfaces whose items are showing and focused only
/// while their widgets are. Call it before the first window; again does nothing.
void installAccess(QApplication& application);

/// What a screen reader calls `widget`, where Qt would take it for a mere frame: a label, a message, a chart.
/// Name and description stay those of the widget. Call it in the constructor, before anybody has asked.
void setAccessibleRole(QWidget* widget, QAccessible::Role role);

}  // namespace lockstep
