// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "metrics/metric_store.h"
#include "runs/run_summary.h"

namespace lockstep {

/// A quantity of a whole run over its steps, one value of all its ranks for each of at most kCurveParts equal stretches of
/// steps, as the catalogue joins ranks (AcrossRanks); of a stretch that was trained twice, the newer attempt counts.
struct RunCurve {
  struct Part {
    Step last = 0;  // the last step in it that was measured
    double value = 0;
    double min = 0,
           max = 0;  // of all samples of all ranks in it; where the value is a sum or a largest one, that
  };
  std::vector<Part> parts;  // ascending; none is not finite
};
inline constexpr int kCurveParts = 1024;

/// Cost: the parts and the chunks of each rank (forEachPixel), whatever the samples. Pure.
[[nodiscard]] RunCurve curveOf(const MetricStore& samples, std::string_view metric);
/// The same, a stretch for each column of the grid that has samples.
[[nodiscard]] RunCurve curveOf(const MetricStore& samples, std::string_view metric, const PixelGrid& grid);

/// A mean, and how far it may be from what it would be over many more steps.
struct MeanEstimate {
  double mean = 0;
  std::optional<double> error;  // one standard error, by batch means; absent: too few values to tell
};
/// Of values that follow each other and so resemble their neighbours: the error is that of kBatches means of neighbours, which
/// hardly resemble each other any more. A trend within them makes it larger, never smaller. Absent: no values.
[[nodiscard]] std::optional<MeanEstimate> meanOf(std::span<const double> values);
inline constexpr int kBatches = 16;
inline constexpr double kLastPart = 0.2;  // of the steps of a run: what RunResult::mean is of

/// What a run came to: of losses, throughput, the time of a step, use of the GPUs and at most kMaxOwnResults quantities of
/// the script's own. Sorted by metric. Cost: curveOf() of each.
[[nodiscard]] std::vector<RunResult> resultsOf(const MetricStore& samples);
inline constexpr int kMaxOwnResults = 24;
/// Longer names are left out.
inline constexpr std::size_t kMaxResultName = 96;

}  // namespace lockstep
