// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "portable/secret_filter.h"
#include "runs/training_run.h"

namespace lockstep {

/// The run as a .lockstep file describes it: what its page shows, without where it ran and with which profile. What had not
/// ended is silent from then on.
[[nodiscard]] std::string describedRun(const TrainingRun& run, const SecretFilter& filter, TimePoint now);
/// The inverse, of what anybody may have written. DataLoss: it describes no run. `id` and `workDir` of the run are the
/// caller's to set.
[[nodiscard]] Result<TrainingRun> runDescribedBy(std::string_view text);

inline constexpr std::size_t kMaxRunDescriptionBytes = 16 << 20;

}  // namespace lockstep
