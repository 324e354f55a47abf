// SPDX-License-Identifier: GPL-3.0-or-later
// A few cells of the fault table, or with LOCKSTEP_FAULTS_ALL=1 all of them.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/faults/fault_rows.h"

using namespace lockstep::testing;

namespace {

// Each row once, and each step once or more: the n-th row meets the n-th step.
std::vector<FaultCell> someCells() {
  std::vector<FaultCell> cells;
  for (std::size_t row = 0; row < faultRows().size(); ++row)
    cells.push_back({row, faultRows()[row].wholeStory ? 0 : row % storySteps().size(), {}});
  return cells;
}

}  // namespace

TEST(FaultStories, LoseNothingDoubleNothingLeaveNothingAndSayWhatHappened) {
  const bool all = std::getenv("LOCKSTEP_FAULTS_ALL") != nullptr;
  const std::vector<FaultCell> cells = playCells(all ? allCells() : someCells(), 4);
  std::size_t failed = 0;
  for (const FaultCell& cell : cells) failed += cell.outcome.wrong.empty() ? 0 : 1;
  EXPECT_EQ(failed, 0U) << tableOf(cells);
}
