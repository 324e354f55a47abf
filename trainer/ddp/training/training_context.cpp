// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/training/training_context.h"

#include <thread>

#include "trainer/ddp/base/exit_codes.h"

namespace lockstep::trainer {

void exitTogether(const TrainingContext& context, Step stepsDone) {
  // Nobody leaves before all have recorded the step and rank 0 has written what it had to: whoever sees a
  // peer leave leaves at once.
  (void)context.communicator.barrier();
  // A cancelled job stops its ranks one after the other: our own signal may be on its way.
  constexpr int kLooks = 50;
  for (int i = 0; i < kLooks && !context.ending.terminationAsked(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (context.ending.terminationAsked()) context.ending.exitAsAsked(stepsDone);
  context.ending.exitNow(kExitPeerLost,
                         fmt::format("rank {} ends after {} steps: another rank was told to stop",
                                     context.place.rank, stepsDone));
}

}  // namespace lockstep::trainer
