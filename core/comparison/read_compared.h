// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <stop_token>

#include "comparison/compared_run.h"
#include "history/run_price.h"
#include "launch/run_services.h"

namespace lockstep {

/// The run with all that is stored about it, and its price. Blocks on disk.
[[nodiscard]] Result<ComparedRun> comparedRun(TrainingRun run, RunStore& store, const PriceTable& prices);

/// What a run has measured, as an overview: a long run from its summaries, and no more than `rawBytes` of its samples; of a
/// run whose nodes have left none what its lines report. Blocks on the network.
[[nodiscard]] Result<std::shared_ptr<const MetricStore>> readOverview(RunServices& services,
                                                                      const TrainingRun& run,
                                                                      const std::stop_token& stop,
                                                                      std::size_t rawBytes = std::size_t{32}
                                                                                             << 20);

/// Adds the samples, and the results that follow from them where none are stored, or the run goes on. Results of a run that is
/// over are kept in `store`, if there is one. Blocks on the network.
[[nodiscard]] Result<void> addSamples(ComparedRun& run, RunServices& services, RunStore* store,
                                      const std::stop_token& stop);

}  // namespace lockstep
