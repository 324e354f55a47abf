// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that joins as a later version of the trainer would; RANK, WORLD_SIZE, MASTER_* as usual.
#include "base/child_process.h"
#include "trainer/ddp/base/exit_codes.h"
#include "trainer/ddp/base/exit_handler.h"
#include "trainer/ddp/rendezvous/join.h"

int main() {
  using namespace lockstep;
  using namespace lockstep::trainer;
  const auto environment = currentEnvironment();
  const auto place = rankContextFrom(environment);
  if (!place) return kExitUsage;
  ExitHandler ending(place->rank);
  ending.progress().enter(RankPhase::Joining);
  JoinSetup setup{*place, environment, std::chrono::seconds(60), {}, kJoinProtocol + 1};
  const auto joined = joinJob(setup);
  if (!joined) ending.fail(joined.error());
  ending.exitNow(kExitDone, {});
}
