// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "trainer/ddp/base/progress.h"
#include "trainer/ddp/collectives/arrival_notices.h"
#include "trainer/ddp/collectives/communicator.h"

namespace lockstep::trainer {

/// A communicator that says in `progress` when this rank is in a collective, how many it has begun and how
/// long it was busy in between, so that peers can tell who keeps whom waiting. Where `inner` cannot tell
/// waiting from transfer, `notices` can; null: all of it counts as transfer. Both must outlive it. Its times
/// are to be taken a moment after finish(), say at the end of the step, when the notices of everybody
/// have come.
std::unique_ptr<Communicator> observed(std::unique_ptr<Communicator> inner, Progress& progress,
                                       ArrivalNotices* notices);

}  // namespace lockstep::trainer
