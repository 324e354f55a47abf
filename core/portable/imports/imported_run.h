// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "metrics/metric_sample.h"

namespace lockstep {

/// Points of one rank by quantity, each as its source has them one after another.
using ImportedSeries = std::map<std::string, std::vector<MetricPoint>, std::less<>>;

/// A run as another program has recorded it: samples, and hardly anything else.
struct ImportedRun {
  std::string name;
  std::map<Rank, ImportedSeries> ranks;
  bool hasTimes = true;          // false: nobody wrote down when; times then only say what came first
  std::uint64_t samples = 0;     // in all
  std::uint64_t passedOver = 0;  // cells, records or files that are no samples
  /// Quantities that are counted in other steps than most are (epochs among updates): they stand at the steps at which
  /// they were recorded.
  std::vector<std::string> otherSteps = {};
};

/// More samples than this are not imported: a GiB of memory.
inline constexpr std::uint64_t kMaxImportedSamples = 40'000'000;
inline constexpr std::size_t kMaxImportedNames = 4096;  // of a rank

/// Adds a sample; a quantity too many, or one whose name is none, is passed over. ResourceExhausted: there are
/// kMaxImportedSamples.
Result<void> addSample(ImportedRun& run, Rank rank, std::string_view name, const MetricPoint& point);

/// Puts quantities that are counted in other steps where the rank was at their times (ImportedRun::otherSteps): readers would
/// take steps that go back for a restart. Needs times; without them nothing is changed.
void alignSteps(ImportedRun& run);

/// When the first and the last sample were taken; run.samples > 0.
[[nodiscard]] std::pair<TimePoint, TimePoint> timesOf(const ImportedRun& run);

}  // namespace lockstep
