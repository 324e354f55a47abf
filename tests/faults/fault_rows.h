// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/faults/launch_story.h"

namespace lockstep::testing {

/// One row of the table: a fault that strikes any operation, or one that is there from the beginning to the
/// end of a story.
struct FaultRow {
  std::string name;  // "throttle, for ever"
  nlohmann::json fault;
  bool lasting = false;
  bool wholeStory = false;
  std::string mustTell = {};
  SignedInAs who = SignedInAs::ApiKey;
};
[[nodiscard]] const std::vector<FaultRow>& faultRows();

struct FaultCell {
  std::size_t row = 0, step = 0;
  StoryOutcome outcome;
};

/// Plays these stories, `workers` at a time, each worker with a region of its own.
[[nodiscard]] std::vector<FaultCell> playCells(std::vector<FaultCell> cells, int workers);
/// Every row times every step; of a row about whole stories one cell.
[[nodiscard]] std::vector<FaultCell> allCells();
/// The table and what was wrong, for people.
[[nodiscard]] std::string tableOf(const std::vector<FaultCell>& cells);

}  // namespace lockstep::testing
