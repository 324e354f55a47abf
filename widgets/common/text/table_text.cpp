// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/text/table_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>

#include "widgets/common/theme/theme.h"

namespace lockstep {

void copySelectedCells(const QTableView& table) {
  QModelIndexList cells = table.selectionModel()->selectedIndexes();
  std::sort(cells.begin(), cells.end());
  QString text;
  for (qsizetype i = 0; i < cells.size(); ++i) {
    if (i > 0) text += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
    text += cells[i].data().toString();
  }
  if (!text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void paintEmptyText(const QTableView& table, const QString& text) {
  if (table.model()->rowCount() > 0) return;
  QPainter painter(table.viewport());
  painter.setPen(mutedColor(table.palette()));
  painter.drawText(table.viewport()->rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                   text);
}

}  // namespace lockstep
