// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/accessible_role.h"

#include <QAccessibleWidget>
#include <QVariant>
#include <QWidget>

namespace lockstep {
namespace {

constexpr const char* kRole = "lockstepAccessibleRole";

// Asked for the class of a widget and then for each of its base classes; Qt's own come after it.
QAccessibleInterface* interfaceOf(const QString&, QObject* object) {
  if (object == nullptr || !object->isWidgetType()) return nullptr;
  const QVariant role = object->property(kRole);
  if (!role.isValid()) return nullptr;
  return new QAccessibleWidget(static_cast<QWidget*>(object), static_cast<QAccessible::Role>(role.toInt()));
}

}  // namespace

void setAccessibleRole(QWidget* widget, QAccessible::Role role) {
  widget->setProperty(kRole, static_cast<int>(role));
  QAccessible::installFactory(interfaceOf);  // Qt keeps a factory once, however often it is given
}

}  // namespace lockstep
