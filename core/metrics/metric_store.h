// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "metrics/metric_sample.h"

namespace lockstep {

/// One value per pixel column for drawing: the extremes and the last point of what falls into it.
struct PixelSpan {
  double x = 0;  // step
  double min = 0, max = 0, last = 0;
};

/// All samples of a run, by name and rank, in step order and free of duplicates. Not thread-safe.
class MetricStore {
 public:
  void add(const MetricSeriesBatch& batch);

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::vector<Rank> ranks(const std::string& name) const;
  [[nodiscard]] const std::vector<MetricPoint>& series(const std::string& name,
                                                       Rank rank) const;  // empty if none
  [[nodiscard]] std::optional<MetricPoint> last(const std::string& name, Rank rank) const;
  /// At most about 2 x `pixels` values for the steps in [fromStep, toStep] and the nearest sample on either
  /// side, so that a line reaches the edges. What is not finite is no value: it gives a span of NaNs, a gap.
  [[nodiscard]] std::vector<PixelSpan> downsampled(const std::string& name, Rank rank, double fromStep,
                                                   double toStep, int pixels) const;
  [[nodiscard]] std::size_t sampleCount() const;

 private:
  std::map<std::string, std::map<Rank, std::vector<MetricPoint>>> series_;
};

}  // namespace lockstep
