// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "metrics/metric_store.h"

namespace lockstep {

/// Samples as lines of CSV: a head, then one line for each sample, rank by rank, attempt by attempt. Numbers are the shortest
/// text that reads back as the same number; nan and inf as they are. Times are RFC 3339, in UTC.
inline constexpr std::string_view kSampleCsvHead = "rank,name,step,time,value\n";

/// Which samples of a store.
struct SampleSelection {
  std::string name;
  std::vector<Rank> ranks;
  Step from = std::numeric_limits<Step>::min();
  Step to = std::numeric_limits<Step>::max();  // the last one, inclusive
};

/// The lines of one rank, without the head. Cost: all samples of that rank and quantity.
[[nodiscard]] std::string sampleCsv(const MetricStore& samples, std::string_view name, Rank rank,
                                    Step from = std::numeric_limits<Step>::min(),
                                    Step to = std::numeric_limits<Step>::max());

/// The head and all that is selected into a file, one selection after another, of which there is all or nothing;
/// never more than one quantity of one rank in memory. FailedPrecondition: not all of it is in memory; of a past
/// (MetricStore::until) also where only a summary tells what there was shortly before its end.
/// Blocks on disk; Cancelled once it is asked to stop.
Result<void> writeSampleCsv(const std::filesystem::path& path, const MetricStore& samples,
                            std::span<const SampleSelection> selections, const std::stop_token& stop);

}  // namespace lockstep
