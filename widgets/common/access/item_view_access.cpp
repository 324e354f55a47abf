// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/access/item_view_access.h"

#include <QHeaderView>
#include <QListView>
#include <QTableView>
#include <QTreeView>

#include "widgets/common/access/item_access.h"

namespace lockstep {
namespace {

QAccessible::Role roleOf(const QAbstractItemView* view) {
  if (qobject_cast<const QListView*>(view)) return QAccessible::List;
  return qobject_cast<const QTreeView*>(view) ? QAccessible::Tree : QAccessible::Table;
}

}  // namespace

ItemViewAccess::ItemViewAccess(QAbstractItemView* view) : QAccessibleWidget(view, roleOf(view)) {}

ItemViewAccess::~ItemViewAccess() {
  for (const QAccessible::Id id : std::as_const(cells_)) QAccessible::deleteAccessibleInterface(id);
  for (const auto& [place, id] : sections_) QAccessible::deleteAccessibleInterface(id);
}

QAbstractItemView* ItemViewAccess::view() const {
  return static_cast<QAbstractItemView*>(widget());
}

QHeaderView* ItemViewAccess::header(Qt::Orientation orientation) const {
  if (const auto* table = qobject_cast<const QTableView*>(widget()))
    return orientation == Qt::Horizontal ? table->horizontalHeader() : table->verticalHeader();
  const auto* tree = qobject_cast<const QTreeView*>(widget());
  return tree && orientation == Qt::Horizontal ? tree->header() : nullptr;
}

QAccessible::Role ItemViewAccess::cellRole() const {
  switch (role()) {
    case QAccessible::List:
      return QAccessible::ListItem;
    case QAccessible::Tree:
      return QAccessible::TreeItem;
    default:
      return QAccessible::Cell;
  }
}

QModelIndex ItemViewAccess::current() const {
  return view()->selectionModel() ? view()->currentIndex() : QModelIndex();
}

QAccessible::State ItemViewAccess::state() const {
  QAccessible::State state = QAccessibleWidget::state();
  if (current().isValid()) state.focused = false;  // its current item is
  return state;
}

int ItemViewAccess::rowCount() const {
  return view()->model() ? view()->model()->rowCount(view()->rootIndex()) : 0;
}

int ItemViewAccess::columnCount() const {
  if (!view()->model()) return 0;
  return role() == QAccessible::List ? 1 : view()->model()->columnCount(view()->rootIndex());
}

int ItemViewAccess::childCount() const {
  return (rowCount() + headerRows()) * (columnCount() + headerColumns());
}

QAccessibleInterface* ItemViewAccess::child(int index) const {
  const int columns = columnCount() + headerColumns();
  if (index < 0 || columns == 0 || index >= childCount()) return nullptr;
  const int row = index / columns - headerRows();
  const int column = index % columns - headerColumns();
  if (row < 0) return section(Qt::Horizontal, column);
  return column < 0 ? section(Qt::Vertical, row) : cellAt(row, column);
}

int ItemViewAccess::numberOf(const QModelIndex& index) const {
  const int column = role() == QAccessible::List ? 0 : index.column();
  return (index.row() + headerRows()) * (columnCount() + headerColumns()) + column + headerColumns();
}

int ItemViewAccess::indexOfChild(const QAccessibleInterface* child) const {
  if (const auto* item = dynamic_cast<const ItemAccess*>(child))
    return item->isValid() ? numberOf(item->index()) : -1;
  const auto* header = dynamic_cast<const SectionAccess*>(child);
  if (!header || !header->isValid()) return -1;
  if (header->orientation() == Qt::Horizontal) return header->number() + headerColumns();
  return (header->number() + headerRows()) * (columnCount() + headerColumns());
}

QAccessibleInterface* ItemViewAccess::childAt(int x, int y) const {
  return cell(view()->indexAt(view()->viewport()->mapFromGlobal(QPoint(x, y))));
}

QAccessibleInterface* ItemViewAccess::focusChild() const {
  if (!view()->hasFocus()) return QAccessibleWidget::focusChild();
  return cell(current());
}

void* ItemViewAccess::interface_cast(QAccessible::InterfaceType type) {
  return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this)
                                             : QAccessibleWidget::interface_cast(type);
}

QAccessibleInterface* ItemViewAccess::cellAt(int row, int column) const {
  if (!view()->model()) return nullptr;
  const auto* list = qobject_cast<const QListView*>(view());
  return cell(view()->model()->index(row, list ? list->modelColumn() : column, view()->rootIndex()));
}

QAccessibleInterface* ItemViewAccess::cell(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  QAccessible::Id& id = cells_[QPersistentModelIndex(index)];
  if (id == 0) id = QAccessible::registerAccessibleInterface(new ItemAccess(view(), index));
  return QAccessible::accessibleInterface(id);
}

QAccessibleInterface* ItemViewAccess::section(Qt::Orientation orientation, int number) const {
  const QHeaderView* owner = header(orientation);
  if (!owner || number >= owner->count()) return nullptr;
  QAccessible::Id& id = sections_[{static_cast<int>(orientation), number}];
  if (id == 0) id = QAccessible::registerAccessibleInterface(new SectionAccess(view(), orientation, number));
  return QAccessible::accessibleInterface(id);
}

int ItemViewAccess::selectedCellCount() const {
  return view()->selectionModel() ? static_cast<int>(view()->selectionModel()->selectedIndexes().size()) : 0;
}

QList<QAccessibleInterface*> ItemViewAccess::selectedCells() const {
  QList<QAccessibleInterface*> cells;
  if (!view()->selectionModel()) return cells;
  const QModelIndexList selected = view()->selectionModel()->selectedIndexes();
  for (const QModelIndex& index : selected) cells << cell(index);
  return cells;
}

QString ItemViewAccess::columnDescription(int column) const {
  return view()->model() ? view()->model()->headerData(column, Qt::Horizontal).toString() : QString();
}

QString ItemViewAccess::rowDescription(int row) const {
  return view()->model() ? view()->model()->headerData(row, Qt::Vertical).toString() : QString();
}

QList<int> ItemViewAccess::selectedColumns() const {
  QList<int> columns;
  if (!view()->selectionModel()) return columns;
  for (const QModelIndex& index : view()->selectionModel()->selectedColumns()) columns << index.column();
  return columns;
}

QList<int> ItemViewAccess::selectedRows() const {
  QList<int> rows;
  if (!view()->selectionModel()) return rows;
  for (const QModelIndex& index : view()->selectionModel()->selectedRows()) rows << index.row();
  return rows;
}

int ItemViewAccess::selectedColumnCount() const {
  return static_cast<int>(selectedColumns().size());
}

int ItemViewAccess::selectedRowCount() const {
  return static_cast<int>(selectedRows().size());
}

bool ItemViewAccess::isColumnSelected(int column) const {
  return view()->selectionModel() && view()->selectionModel()->isColumnSelected(column, view()->rootIndex());
}

bool ItemViewAccess::isRowSelected(int row) const {
  return view()->selectionModel() && view()->selectionModel()->isRowSelected(row, view()->rootIndex());
}

bool ItemViewAccess::select(const QModelIndex& index, QItemSelectionModel::SelectionFlags how) {
  if (!index.isValid() || !view()->selectionModel() ||
      view()->selectionMode() == QAbstractItemView::NoSelection)
    return false;
  const bool isOne = view()->selectionMode() == QAbstractItemView::SingleSelection;
  if (isOne && how.testFlag(QItemSelectionModel::Select)) how |= QItemSelectionModel::Clear;
  view()->selectionModel()->select(index, how);
  return true;
}

bool ItemViewAccess::selectRow(int row) {
  if (!view()->model()) return false;
  return select(view()->model()->index(row, 0, view()->rootIndex()),
                QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

bool ItemViewAccess::selectColumn(int column) {
  if (!view()->model() || view()->selectionBehavior() == QAbstractItemView::SelectRows) return false;
  return select(view()->model()->index(0, column, view()->rootIndex()),
                QItemSelectionModel::Select | QItemSelectionModel::Columns);
}

bool ItemViewAccess::unselectRow(int row) {
  if (!view()->model()) return false;
  return select(view()->model()->index(row, 0, view()->rootIndex()),
                QItemSelectionModel::Deselect | QItemSelectionModel::Rows);
}

bool ItemViewAccess::unselectColumn(int column) {
  if (!view()->model()) return false;
  return select(view()->model()->index(0, column, view()->rootIndex()),
                QItemSelectionModel::Deselect | QItemSelectionModel::Columns);
}

void ItemViewAccess::modelChange(QAccessibleTableModelChangeEvent*) {
  cells_.removeIf([](const auto& entry) {
    if (entry.key().isValid()) return false;
    QAccessible::deleteAccessibleInterface(entry.value());
    return true;
  });
}

}  // namespace lockstep
