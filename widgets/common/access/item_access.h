// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractItemView>
#include <QAccessible>
#include <QPersistentModelIndex>
#include <QPointer>

namespace lockstep {

class ItemViewAccess;

/// One item of a view, for screen readers. Invalid once the item is gone.
class ItemAccess final : public QAccessibleInterface,
                         public QAccessibleTableCellInterface,
                         public QAccessibleActionInterface {
 public:
  ItemAccess(QAbstractItemView* view, const QModelIndex& index) : view_(view), index_(index) {}

  [[nodiscard]] const QPersistentModelIndex& index() const { return index_; }

  [[nodiscard]] bool isValid() const override { return view_ && index_.isValid(); }
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override;
  [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  [[nodiscard]] QString text(QAccessible::Text kind) const override;
  void setText(QAccessible::Text kind, const QString& text) override;
  [[nodiscard]] QRect rect() const override;
  [[nodiscard]] QAccessible::Role role() const override;
  [[nodiscard]] QAccessible::State state() const override;
  void* interface_cast(QAccessible::InterfaceType type) override;

  [[nodiscard]] bool isSelected() const override;
  [[nodiscard]] QList<QAccessibleInterface*> columnHeaderCells() const override;
  [[nodiscard]] QList<QAccessibleInterface*> rowHeaderCells() const override;
  [[nodiscard]] int columnIndex() const override { return index_.column(); }
  [[nodiscard]] int rowIndex() const override { return index_.row(); }
  [[nodiscard]] int columnExtent() const override { return 1; }
  [[nodiscard]] int rowExtent() const override { return 1; }
  [[nodiscard]] QAccessibleInterface* table() const override { return parent(); }

  [[nodiscard]] QStringList actionNames() const override;
  void doAction(const QString& name) override;
  [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

 private:
  [[nodiscard]] ItemViewAccess* owner() const;
  [[nodiscard]] bool isShowing() const;
  void toggle();

  QPointer<QAbstractItemView> view_;
  QPersistentModelIndex index_;
};

/// One section of a view's header, for screen readers.
class SectionAccess final : public QAccessibleInterface {
 public:
  SectionAccess(QAbstractItemView* view, Qt::Orientation orientation, int number)
      : view_(view), orientation_(orientation), number_(number) {}

  [[nodiscard]] Qt::Orientation orientation() const { return orientation_; }
  [[nodiscard]] int number() const { return number_; }

  [[nodiscard]] bool isValid() const override;
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override;
  [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  [[nodiscard]] QString text(QAccessible::Text kind) const override;
  void setText(QAccessible::Text, const QString&) override {}
  [[nodiscard]] QRect rect() const override;
  [[nodiscard]] QAccessible::Role role() const override;
  [[nodiscard]] QAccessible::State state() const override;

 private:
  QPointer<QAbstractItemView> view_;
  Qt::Orientation orientation_;
  int number_;  // -1: the corner between two headers
};

}  // namespace lockstep
