// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

#include "app/desktop/runs/run_monitor.h"
#include "launch/run_services.h"
#include "runs/run_store.h"

namespace lockstep {

// Ways from a thread of ours into core. Each opens a run store of its own, because a store belongs to one
// thread. All block.

/// The services that a run was launched with. `passPhrases` may be null.
using PassPhrases = std::shared_ptr<oci::PassPhraseSource>;
[[nodiscard]] Result<RunServices> servicesOf(const TrainingRun& run, const PassPhrases& passPhrases);
[[nodiscard]] Result<TrainingRun> findRun(const std::string& reference);
/// The same, or the run in this .lockstep file, folder or URI of a work dir, read only and without a run store; `query` is for
/// a bucket.
[[nodiscard]] Result<TrainingRun> findOrOpenRun(const std::string& reference, const oci::ProfileQuery& query,
                                                const std::stop_token& stop);
/// Follows a run from its beginning.
/// `reading`: how much of its metrics is read before somebody looks at it.
[[nodiscard]] RunPollFactory followerOf(const TrainingRun& run, const PassPhrases& passPhrases,
                                        const MetricReading& reading);

/// How long the service keeps a line of this run's log; zero: it does not say. The run has a log (`logId`).
[[nodiscard]] Result<std::chrono::days> logRetention(const TrainingRun& run, const PassPhrases& passPhrases,
                                                     const std::stop_token& stop);

}  // namespace lockstep
