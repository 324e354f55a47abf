// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAccessibleWidget>
#include <QTabBar>
#include <map>

namespace lockstep {

/// What a screen reader sees of a row of tabs. Unlike Qt's own, the current tab is focused only while the row
/// has the focus; the row itself is then not.
class TabBarAccess final : public QAccessibleWidget {
 public:
  explicit TabBarAccess(QTabBar* bar) : QAccessibleWidget(bar, QAccessible::PageTabList) {}
  ~TabBarAccess() override;

  [[nodiscard]] QAccessible::State state() const override;
  [[nodiscard]] int childCount() const override;
  [[nodiscard]] QAccessibleInterface* child(int index) const override;
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override;
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override;
  [[nodiscard]] QAccessibleInterface* focusChild() const override;

 private:
  [[nodiscard]] QTabBar* bar() const { return static_cast<QTabBar*>(widget()); }
  mutable std::map<int, QAccessible::Id> tabs_;
};

}  // namespace lockstep
