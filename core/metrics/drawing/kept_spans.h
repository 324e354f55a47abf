// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// The spans of a quantity of one rank (MetricStore::spans) that are kept, so that a curve that moves costs only what comes
/// into sight. While it is zoomed its columns stay as wide as they were, at most kWidest pixels, until refine() computes
/// them anew: every extreme is in sight all the while. Bounded: what is far out of sight is forgotten.
class KeptSpans {
 public:
  static constexpr double kWidest = 16;    // columns, in pixels of what is asked for
  static constexpr double kNarrowest = 3;  // so many columns to a pixel are too many
  static constexpr double kHaste = 3;      // pixels

  /// What the spans are of. Another store, even of the same run: nothing is kept.
  void setSource(const std::shared_ptr<const MetricStore>& metrics, const std::string& name, Rank rank);
  /// Whether all of `grid` is there in columns that are not wider than its own, nor far narrower.
  [[nodiscard]] bool isFine(const PixelGrid& grid) const;
  /// Makes it so. Cost: the columns that are missing, or all of them where they are too wide.
  void refine(const PixelGrid& grid);
  /// For `grid` and the nearest sample on either side, as MetricStore::spans(), but in columns of other widths where they are
  /// kept, or missing: those are computed kHaste pixels wide. Cost: the columns that are missing.
  [[nodiscard]] std::vector<PixelSpan> spans(const PixelGrid& grid);

 private:
  [[nodiscard]] bool covers(const PixelGrid& grid) const;
  [[nodiscard]] bool isFar(const PixelGrid& grid) const;
  [[nodiscard]] std::vector<PixelSpan> compute(double from, double to, double width);
  void computeAll(const PixelGrid& grid);
  void extend(const PixelGrid& grid, double width);
  void join(const std::vector<PixelSpan>& more, double border, bool areBefore);
  void forgetFar(const PixelGrid& grid);

  std::shared_ptr<const MetricStore> metrics_;
  std::string name_;
  Rank rank_;
  std::vector<std::vector<PixelSpan>>
      attempts_;  // ascending; with the nearest samples outside, where there are any
  std::vector<double>
      borders_;  // of what was computed at once; each between two steps, so that none is in two of them
  double widest_ = 0, narrowest_ = 0;  // columns, in steps
};

}  // namespace lockstep
