// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/access/tab_bar_access.h"

#include <QPointer>

namespace lockstep {
namespace {

class TabAccess final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  TabAccess(QTabBar* bar, int index) : bar_(bar), index_(index) {}

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] bool isValid() const override { return bar_ && index_ < bar_->count(); }
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(bar_);
  }
  [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }

  [[nodiscard]] QString text(QAccessible::Text kind) const override {
    if (!isValid()) return {};
    if (kind == QAccessible::Description) return bar_->tabToolTip(index_);
    if (kind != QAccessible::Name) return {};
    const QString name = bar_->accessibleTabName(index_);
    return name.isEmpty() ? bar_->tabText(index_).remove(QLatin1Char('&')) : name;
  }
  void setText(QAccessible::Text, const QString&) override {}
  [[nodiscard]] QRect rect() const override {
    if (!isValid()) return {};
    const QRect rect = bar_->tabRect(index_);
    return {bar_->mapToGlobal(rect.topLeft()), rect.size()};
  }
  [[nodiscard]] QAccessible::Role role() const override { return QAccessible::PageTab; }

  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state;
    state.invalid = !isValid();
    state.invisible = state.invalid || !bar_->isVisible() || !bar_->isTabVisible(index_);
    if (state.invalid) return state;
    state.disabled = !bar_->isEnabled() || !bar_->isTabEnabled(index_);
    state.selectable = state.focusable = true;
    state.selected = bar_->currentIndex() == index_;
    state.focused = state.selected && bar_->isVisible() && bar_->hasFocus();
    return state;
  }

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  [[nodiscard]] QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
  void doAction(const QString& name) override {
    if (!isValid() || !bar_->isTabEnabled(index_)) return;
    if (name == setFocusAction()) bar_->setFocus();
    bar_->setCurrentIndex(index_);
  }
  [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

 private:
  QPointer<QTabBar> bar_;
  int index_;
};

}  // namespace

TabBarAccess::~TabBarAccess() {
  for (const auto& [index, id] : tabs_) QAccessible::deleteAccessibleInterface(id);
}

QAccessible::State TabBarAccess::state() const {
  QAccessible::State state = QAccessibleWidget::state();
  if (bar()->currentIndex() >= 0) state.focused = false;
  return state;
}

int TabBarAccess::childCount() const {
  return bar()->count();
}

QAccessibleInterface* TabBarAccess::child(int index) const {
  if (index < 0 || index >= bar()->count()) return nullptr;
  QAccessible::Id& id = tabs_[index];
  if (id == 0) id = QAccessible::registerAccessibleInterface(new TabAccess(bar(), index));
  return QAccessible::accessibleInterface(id);
}

int TabBarAccess::indexOfChild(const QAccessibleInterface* child) const {
  const auto* tab = dynamic_cast<const TabAccess*>(child);
  return tab && tab->isValid() ? tab->index() : -1;
}

QAccessibleInterface* TabBarAccess::childAt(int x, int y) const {
  return child(bar()->tabAt(bar()->mapFromGlobal(QPoint(x, y))));
}

QAccessibleInterface* TabBarAccess::focusChild() const {
  return bar()->hasFocus() ? child(bar()->currentIndex()) : nullptr;
}

}  // namespace lockstep
