// SPDX-License-Identifier: GPL-3.0-or-later
// fault_table [WORKERS [ROW-NAME…]]: plays every fault against every operation of a story and prints the
// table.
#include <cstdio>
#include <cstdlib>

#include "tests/faults/fault_rows.h"

using namespace lockstep::testing;

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::max(1, std::atoi(argv[1])) : 4;
  std::vector<FaultCell> cells;
  for (const FaultCell& cell : allCells()) {
    bool wanted = argc <= 2;
    for (int i = 2; i < argc; ++i) wanted = wanted || faultRows()[cell.row].name == argv[i];
    if (wanted) cells.push_back(cell);
  }
  cells = playCells(std::move(cells), workers);
  std::fputs(tableOf(cells).c_str(), stdout);
  for (const FaultCell& cell : cells)
    if (!cell.outcome.wrong.empty()) return 1;
  return 0;
}
