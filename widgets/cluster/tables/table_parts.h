// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace lockstep {

/// The look that the small tables of the form share: whole rows selected, Tab leaves the table, the first
/// column as wide as names are.
void preparePairTable(QTableView* table);
/// As high as its rows, between `min` and `max` of them: the form scrolls, not the table in it.
void fitHeight(QTableView* table, int min, int max);

}  // namespace lockstep
