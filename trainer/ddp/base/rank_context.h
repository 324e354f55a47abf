// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>

#include "base/error.h"

namespace lockstep::trainer {

/// Which of the job's processes this one is, from the variables that torchrun and lockstep-node set.
struct RankContext {
  int rank = 0;
  int localRank = 0;
  int worldSize = 1;
  std::string masterAddress = "127.0.0.1";
  int masterPort = 29400;
  int restarts = 0;  // TORCHELASTIC_RESTART_COUNT: how often the ranks of this run were started before
  [[nodiscard]] bool alone() const { return worldSize == 1; }
};

/// RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT, TORCHELASTIC_RESTART_COUNT. None of them set: one
/// process, alone. InvalidArgument names the variable and its value.
Result<RankContext> rankContextFrom(const std::map<std::string, std::string>& environment);

}  // namespace lockstep::trainer
