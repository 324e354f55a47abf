// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

#include "base/error.h"
#include "metrics/metric_store.h"

namespace lockstep {

/// Writes samples as a folder for TensorBoard: an event file "rank-00003/events.out.tfevents.<seconds>.lockstep.1" for each rank
/// that has any, in place of one that was written before. `isWanted`: which quantities of which ranks. Values are kept to their
/// last bit, times to some 200 ns. Blocks on disk; one quantity of one rank is in memory at a time. Cancelled once it is asked to
/// stop: files of other ranks may be there then.
Result<void> writeBoard(const std::filesystem::path& folder, const MetricStore& samples,
                        const std::function<bool(std::string_view name, Rank rank)>& isWanted,
                        const std::stop_token& stop);

}  // namespace lockstep
