// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/health/health_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>

#include "widgets/common/text/table_text.h"

namespace lockstep {
namespace {
constexpr int kPad = 14;
constexpr int kIconSide = 16;
}  // namespace

HealthTable::HealthTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent)
    : QTableView(parent) {
  setModel(model);
  setAccessibleName(accessibleName);
  setShowGrid(false);
  setWordWrap(false);
  setAlternatingRowColors(true);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setHorizontalScrollMode(ScrollPerPixel);
  setIconSize(QSize(kIconSide, kIconSide));
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(30);
  horizontalHeader()->setDefaultSectionSize(30);
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    for (int column = 0; column < this->model()->columnCount(); ++column) setColumnWidth(column, 30);
    fitColumns();
  });
  fitColumns();
}

void HealthTable::setEmptyText(const QString& text) {
  if (text == emptyText_) return;
  emptyText_ = text;
  setAccessibleDescription(model()->rowCount() == 0 ? text : QString());
  viewport()->update();
}

void HealthTable::fitColumns() {
  // A last column that takes the room that is left is cut short rather than scrolled to.
  const int count = model()->columnCount() - (horizontalHeader()->stretchLastSection() ? 1 : 0);
  for (int column = 0; column < count; ++column) {
    const QString title = model()->headerData(column, Qt::Horizontal).toString();
    const int heading = horizontalHeader()->fontMetrics().horizontalAdvance(title) + kPad + 4;
    const int wanted = std::max(sizeHintForColumn(column) + 8, heading);
    if (wanted > columnWidth(column)) setColumnWidth(column, wanted);
  }
  setAccessibleDescription(model()->rowCount() == 0 ? emptyText_ : QString());
}

void HealthTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  paintEmptyText(*this, emptyText_);
}

void HealthTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copySelectedCells(*this);
  QTableView::keyPressEvent(event);
}

}  // namespace lockstep
