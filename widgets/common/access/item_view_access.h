// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractItemView>
#include <QAccessibleWidget>
#include <QHash>
#include <QPersistentModelIndex>
#include <map>
#include <utility>

class QHeaderView;

namespace lockstep {

/// What a screen reader sees of a flat list, table or tree. Unlike Qt's own, an item is showing only while
/// its view is, and focused only while its view has the focus; the view itself is then not. Children are
/// numbered as Qt numbers them in its events: row by row, headers first, also those that are hidden.
class ItemViewAccess final : public QAccessibleWidget, public QAccessibleTableInterface {
 public:
  explicit ItemViewAccess(QAbstractItemView* view);
  ~ItemViewAccess() override;

  [[nodiscard]] QAbstractItemView* view() const;
  [[nodiscard]] QHeaderView* header(Qt::Orientation orientation) const;
  [[nodiscard]] QAccessible::Role cellRole() const;

  [[nodiscard]] QAccessible::State state() const override;
  [[nodiscard]] int childCount() const override;
  [[nodiscard]] QAccessibleInterface* child(int index) const override;
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override;
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override;
  [[nodiscard]] QAccessibleInterface* focusChild() const override;
  void* interface_cast(QAccessible::InterfaceType type) override;

  [[nodiscard]] QAccessibleInterface* caption() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* summary() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* cellAt(int row, int column) const override;
  [[nodiscard]] int selectedCellCount() const override;
  [[nodiscard]] QList<QAccessibleInterface*> selectedCells() const override;
  [[nodiscard]] QString columnDescription(int column) const override;
  [[nodiscard]] QString rowDescription(int row) const override;
  [[nodiscard]] int selectedColumnCount() const override;
  [[nodiscard]] int selectedRowCount() const override;
  [[nodiscard]] int columnCount() const override;
  [[nodiscard]] int rowCount() const override;
  [[nodiscard]] QList<int> selectedColumns() const override;
  [[nodiscard]] QList<int> selectedRows() const override;
  [[nodiscard]] bool isColumnSelected(int column) const override;
  [[nodiscard]] bool isRowSelected(int row) const override;
  bool selectRow(int row) override;
  bool selectColumn(int column) override;
  bool unselectRow(int row) override;
  bool unselectColumn(int column) override;
  void modelChange(QAccessibleTableModelChangeEvent* event) override;

  /// The interface of a header's section; null when there is no such section.
  [[nodiscard]] QAccessibleInterface* section(Qt::Orientation orientation, int number) const;
  /// The number of an item among the children.
  [[nodiscard]] int numberOf(const QModelIndex& index) const;

 private:
  [[nodiscard]] QAccessibleInterface* cell(const QModelIndex& index) const;
  [[nodiscard]] int headerRows() const { return header(Qt::Horizontal) ? 1 : 0; }
  [[nodiscard]] int headerColumns() const { return header(Qt::Vertical) ? 1 : 0; }
  [[nodiscard]] QModelIndex current() const;
  bool select(const QModelIndex& index, QItemSelectionModel::SelectionFlags how);

  // Screen readers hold on to an interface, so an item keeps its own as long as it is there.
  mutable QHash<QPersistentModelIndex, QAccessible::Id> cells_;
  mutable std::map<std::pair<int, int>, QAccessible::Id> sections_;
};

}  // namespace lockstep
