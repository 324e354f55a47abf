// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/tables/table_parts.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

namespace lockstep {
namespace {

constexpr int kNameChars = 24;

}  // namespace

void preparePairTable(QTableView* table) {
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->verticalHeader()->hide();
  QHeaderView* header = table->horizontalHeader();
  header->setSectionResizeMode(0, QHeaderView::Interactive);
  header->setStretchLastSection(true);
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeading | Qt::AlignVCenter);
  table->setColumnWidth(0, table->fontMetrics().averageCharWidth() * kNameChars);
}

void fitHeight(QTableView* table, int min, int max) {
  const int rows = std::clamp(table->model()->rowCount(), min, max);
  const int rowHeight = table->verticalHeader()->defaultSectionSize();
  const int height =
      table->horizontalHeader()->sizeHint().height() + rows * rowHeight + 2 * table->frameWidth() + 2;
  if (table->minimumHeight() != height || table->maximumHeight() != height) table->setFixedHeight(height);
}

}  // namespace lockstep
