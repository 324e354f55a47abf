// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <utility>

#include "metrics/store/rank_columns.h"

namespace lockstep {

/// From where to where a quantity of a rank may have other samples in `after` than in `before`, an earlier state of the same
/// table (null: the rank was not there). Absent: it has the same. It may say more than what changed, never less; of rows that
/// were only appended it says those. What was samples and is coarse now, or the other way, has changed. Cost: a comparison for each chunk.
[[nodiscard]] std::optional<std::pair<Step, Step>> changedSteps(const RankColumns* before,
                                                                const RankColumns& after, std::uint32_t id);

}  // namespace lockstep
