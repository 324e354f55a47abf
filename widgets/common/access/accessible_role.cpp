// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/access/accessible_role.h"

#include <QAccessibleWidget>
#include <QApplication>
#include <QListView>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>
#include <QVariant>

#include "widgets/common/access/item_view_access.h"
#include "widgets/common/access/tab_bar_access.h"

namespace lockstep {
namespace {

constexpr const char* kRole = "lockstepAccessibleRole";

/// A widget with another role than its class has. One that hands the focus on to a part of it is not focused
/// itself.
class RoleAccess final : public QAccessibleWidget {
 public:
  using QAccessibleWidget::QAccessibleWidget;
  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.focused = state.focused && QApplication::focusWidget() == widget();
    return state;
  }
};

/// A tree that unfolds is left to Qt.
QAbstractItemView* flatView(QObject* object) {
  if (const auto* tree = qobject_cast<QTreeView*>(object); tree && tree->rootIsDecorated()) return nullptr;
  const bool isFlat = qobject_cast<QListView*>(object) || qobject_cast<QTableView*>(object) ||
                      qobject_cast<QTreeView*>(object);
  return isFlat ? static_cast<QAbstractItemView*>(object) : nullptr;
}

// Asked for the class of an object and then for each of its base classes; Qt's own come after it.
QAccessibleInterface* interfaceOf(const QString&, QObject* object) {
  if (object == nullptr || !object->isWidgetType()) return nullptr;
  const QVariant role = object->property(kRole);
  if (role.isValid())
    return new RoleAccess(static_cast<QWidget*>(object), static_cast<QAccessible::Role>(role.toInt()));
  if (QAbstractItemView* view = flatView(object)) return new ItemViewAccess(view);
  if (auto* pages = qobject_cast<QTabWidget*>(object)) return new RoleAccess(pages, QAccessible::Pane);
  auto* tabs = qobject_cast<QTabBar*>(object);
  return tabs ? new TabBarAccess(tabs) : nullptr;
}

/// Qt tells of the view that got the focus; the focused item is told, too, as the view has it to be.
void notifyFocusedItem(QWidget* focused) {
  auto* view = qobject_cast<QAbstractItemView*>(focused);
  if (!view || !view->hasFocus() || !QAccessible::isActive()) return;
  const auto* access = dynamic_cast<ItemViewAccess*>(QAccessible::queryAccessibleInterface(view));
  if (!access || !view->selectionModel() || !view->currentIndex().isValid()) return;
  QAccessibleEvent event(view, QAccessible::Focus);
  event.setChild(access->numberOf(view->currentIndex()));
  QAccessible::updateAccessibility(&event);
}

}  // namespace

void installAccess(QApplication& application) {
  QAccessible::installFactory(interfaceOf);  // Qt keeps a factory once, however often it is given
  constexpr const char* kConnected = "lockstepAccess";
  if (application.property(kConnected).isValid()) return;
  application.setProperty(kConnected, true);
  QObject::connect(&application, &QApplication::focusChanged, &application, [](QWidget*, QWidget* now) {
    // Queued: after what Qt itself tells of the view.
    if (now)
      QMetaObject::invokeMethod(
          now, [now] { notifyFocusedItem(now); }, Qt::QueuedConnection);
  });
}

void setAccessibleRole(QWidget* widget, QAccessible::Role role) {
  widget->setProperty(kRole, static_cast<int>(role));
  QAccessible::installFactory(interfaceOf);
}

}  // namespace lockstep
