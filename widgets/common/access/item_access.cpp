// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/access/item_access.h"

#include <QAbstractItemModel>
#include <QHeaderView>

#include "widgets/common/access/item_view_access.h"

namespace lockstep {
namespace {

/// Null for a view that has no interface of ours, which cannot be while one of its items has.
ItemViewAccess* accessOf(QAbstractItemView* view) {
  return view ? dynamic_cast<ItemViewAccess*>(QAccessible::queryAccessibleInterface(view)) : nullptr;
}

QRect onScreen(const QWidget* widget, const QRect& rect) {
  return rect.isEmpty() ? QRect() : QRect(widget->mapToGlobal(rect.topLeft()), rect.size());
}

}  // namespace

ItemViewAccess* ItemAccess::owner() const {
  return accessOf(view_);
}

QAccessibleInterface* ItemAccess::parent() const {
  return owner();
}

QString ItemAccess::text(QAccessible::Text kind) const {
  if (!isValid()) return {};
  if (kind == QAccessible::Description) return index_.data(Qt::AccessibleDescriptionRole).toString();
  if (kind != QAccessible::Name && kind != QAccessible::Value) return {};
  const QString name = kind == QAccessible::Name ? index_.data(Qt::AccessibleTextRole).toString() : QString();
  return name.isEmpty() ? index_.data(Qt::DisplayRole).toString() : name;
}

void ItemAccess::setText(QAccessible::Text, const QString& text) {
  if (isValid() && index_.flags() & Qt::ItemIsEditable) view_->model()->setData(index_, text);
}

QRect ItemAccess::rect() const {
  return isValid() ? onScreen(view_->viewport(), view_->visualRect(index_)) : QRect();
}

QAccessible::Role ItemAccess::role() const {
  const ItemViewAccess* access = owner();
  return access ? access->cellRole() : QAccessible::Cell;
}

bool ItemAccess::isShowing() const {
  return view_->isVisible() && view_->visualRect(index_).intersects(view_->viewport()->rect());
}

QAccessible::State ItemAccess::state() const {
  QAccessible::State state;
  state.invalid = !isValid();
  state.invisible = state.offscreen = state.invalid || !isShowing();
  if (state.invalid) return state;
  const Qt::ItemFlags flags = index_.flags();
  state.disabled = !view_->isEnabled() || !(flags & Qt::ItemIsEnabled);
  state.selectable = state.focusable = bool(flags & Qt::ItemIsSelectable);
  state.selected = isSelected();
  state.focused = view_->isVisible() && view_->hasFocus() && view_->currentIndex() == index_;
  state.multiSelectable = view_->selectionMode() == QAbstractItemView::MultiSelection;
  state.extSelectable = view_->selectionMode() == QAbstractItemView::ExtendedSelection;
  const QVariant check = index_.data(Qt::CheckStateRole);
  state.checkable = flags & Qt::ItemIsUserCheckable && check.isValid();
  state.checked = check.toInt() == Qt::Checked;
  state.editable = flags & Qt::ItemIsEditable && view_->editTriggers() != QAbstractItemView::NoEditTriggers;
  return state;
}

void* ItemAccess::interface_cast(QAccessible::InterfaceType type) {
  if (type == QAccessible::TableCellInterface) return static_cast<QAccessibleTableCellInterface*>(this);
  return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
}

bool ItemAccess::isSelected() const {
  return isValid() && view_->selectionModel() && view_->selectionModel()->isSelected(index_);
}

QList<QAccessibleInterface*> ItemAccess::columnHeaderCells() const {
  const ItemViewAccess* access = owner();
  auto* section = access ? access->section(Qt::Horizontal, index_.column()) : nullptr;
  return section ? QList<QAccessibleInterface*>{section} : QList<QAccessibleInterface*>();
}

QList<QAccessibleInterface*> ItemAccess::rowHeaderCells() const {
  const ItemViewAccess* access = owner();
  auto* section = access ? access->section(Qt::Vertical, index_.row()) : nullptr;
  return section ? QList<QAccessibleInterface*>{section} : QList<QAccessibleInterface*>();
}

QStringList ItemAccess::actionNames() const {
  return {pressAction(), toggleAction(), setFocusAction()};
}

void ItemAccess::doAction(const QString& name) {
  if (!isValid() || !view_->isEnabled() || !(index_.flags() & Qt::ItemIsEnabled)) return;
  if (name == toggleAction()) return toggle();
  if (name != pressAction() && name != setFocusAction()) return;
  if (name == setFocusAction()) view_->setFocus();
  view_->setCurrentIndex(index_);
  if (name == pressAction()) emit view_->activated(index_);
}

void ItemAccess::toggle() {
  const QVariant check = index_.data(Qt::CheckStateRole);
  if (!(index_.flags() & Qt::ItemIsUserCheckable) || !check.isValid())
    return view_->selectionModel()->select(index_, QItemSelectionModel::Toggle);
  const auto next = check.toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked;
  view_->model()->setData(index_, next, Qt::CheckStateRole);
}

bool SectionAccess::isValid() const {
  const ItemViewAccess* access = accessOf(view_);
  const QHeaderView* header = access ? access->header(orientation_) : nullptr;
  return header && number_ < header->count();
}

QAccessibleInterface* SectionAccess::parent() const {
  return accessOf(view_);
}

QString SectionAccess::text(QAccessible::Text kind) const {
  if (!isValid() || number_ < 0 || kind != QAccessible::Name) return {};
  const QString name = view_->model()->headerData(number_, orientation_, Qt::AccessibleTextRole).toString();
  return name.isEmpty() ? view_->model()->headerData(number_, orientation_).toString() : name;
}

QRect SectionAccess::rect() const {
  if (!isValid() || number_ < 0) return {};
  const QHeaderView* header = accessOf(view_)->header(orientation_);
  const int at = header->sectionViewportPosition(number_);
  const int size = header->sectionSize(number_);
  const QRect rect = orientation_ == Qt::Horizontal ? QRect(at, 0, size, header->height())
                                                    : QRect(0, at, header->width(), size);
  return onScreen(header->viewport(), rect);
}

QAccessible::Role SectionAccess::role() const {
  if (number_ < 0) return QAccessible::Pane;
  return orientation_ == Qt::Horizontal ? QAccessible::ColumnHeader : QAccessible::RowHeader;
}

QAccessible::State SectionAccess::state() const {
  QAccessible::State state;
  state.invalid = !isValid();
  state.invisible = state.invalid || number_ < 0 || !accessOf(view_)->header(orientation_)->isVisible();
  return state;
}

}  // namespace lockstep
