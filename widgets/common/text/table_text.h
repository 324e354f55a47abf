// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QTableView>

namespace lockstep {

/// The texts of the selected cells into the clipboard: tabs between cells, a line for each row. Nothing where
/// nothing is selected.
void copySelectedCells(const QTableView& table);

/// Draws `text` where the rows would be, when there are none. From paintEvent(), after that of QTableView.
void paintEmptyText(const QTableView& table, const QString& text);

}  // namespace lockstep
