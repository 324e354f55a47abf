// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of the fault table: every fault once, each with another operation, and every operation at least
// once. With LOCKSTEP_FAULTS_ALL=1 all of them with all.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/faults/fault_rows.h"

using namespace lockstep::testing;

namespace {

// The n-th row meets the n-th step.
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
  std::set<std::size_t> steps;
  for (const FaultCell& cell : cells) steps.insert(cell.step);
  EXPECT_EQ(steps.size(), storySteps().size()) << "an operation is left out";
  std::size_t failed = 0;
  for (const FaultCell& cell : cells) failed += cell.outcome.wrong.empty() ? 0 : 1;
  EXPECT_EQ(failed, 0U) << tableOf(cells);
}
