// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/health/health_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/common/theme.h"

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
  if (model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(mutedColor(palette()));
  painter.drawText(viewport()->rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                   emptyText_);
}

void HealthTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copySelection();
  QTableView::keyPressEvent(event);
}

void HealthTable::copySelection() const {
  QModelIndexList cells = selectionModel()->selectedIndexes();
  std::sort(cells.begin(), cells.end());
  QString text;
  for (qsizetype i = 0; i < cells.size(); ++i) {
    if (i > 0) text += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
    text += cells[i].data().toString();
  }
  if (!text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

}  // namespace lockstep
