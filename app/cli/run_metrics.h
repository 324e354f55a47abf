// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

#include "metrics/metric_store.h"
#include "metrics/read_to_end.h"

namespace lockstep::cli {

/// Reads all samples of a run into `into`; where that takes long, a bar on stderr says how far it is. Blocks.
[[nodiscard]] ReadToEnd readAllMetrics(MetricReader& reader, MetricStore& into, const std::stop_token& stop);
/// What of it is missing or none of the run's, on stderr. Its problem is not: that is the command's failure.
void warnOfGaps(const ReadToEnd& read);
/// "loading 1240 of 2600 segments"
[[nodiscard]] std::string loadingText(std::uint64_t read, std::uint64_t known);
/// 0…1
[[nodiscard]] double loadedShare(std::uint64_t read, std::uint64_t known);

}  // namespace lockstep::cli
