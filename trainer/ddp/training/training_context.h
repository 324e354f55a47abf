// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "trainer/data/batch_loader.h"
#include "trainer/data/data_set.h"
#include "trainer/ddp/base/exit_handler.h"
#include "trainer/ddp/base/put_line.h"
#include "trainer/ddp/base/rank_context.h"
#include "trainer/ddp/base/trainer_arguments.h"
#include "trainer/ddp/collectives/communicator.h"
#include "trainer/ddp/metrics/metrics_session.h"
#include "trainer/ddp/peers/peer_watch.h"
#include "trainer/ddp/replica/replica.h"

namespace lockstep::trainer {

/// What the parts of a training share. Belongs to the TrainingSession, which outlives them.
struct TrainingContext {
  const TrainOptions& options;
  const RankContext& place;
  const TrainingData& data;
  ExitHandler& ending;
  Communicator& communicator;  // for memory of the host
  Communicator& gradients;     // the same, or the one of the GPUs
  MetricsSession& metrics;
  Replica& replica;
  PeerWatch* watch;  // null for a job of one

  /// While a GPU computes, the host may as well read.
  [[nodiscard]] ReadAhead readAhead() const {
    return replica.computesOnGpu() ? ReadAhead::Always : ReadAhead::WhereSlow;
  }
};

/// After a step at which stopAsked() was true, once what there is to do is done: leaves as SIGTERM has it,
/// or, where only others were told to stop, as one who lost them.
[[noreturn]] void exitTogether(const TrainingContext& context, Step stepsDone);

/// One line to stdout.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  putLine(stdout, fmt::format(format, std::forward<Args>(args)...));
}

inline double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace lockstep::trainer
