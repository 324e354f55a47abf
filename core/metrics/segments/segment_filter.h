// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounds.h"
#include "metrics/segments/metric_segment.h"
#include "metrics/segments/segment_summary.h"

namespace lockstep {

/// Tells what belongs to a run in its metrics folder from what anybody else may have put there. Of what does
/// not, the first of each kind is kept as a finding.
class SegmentFilter {
 public:
  /// The segment that an object is; nullopt: it is none of this run's.
  std::optional<SegmentId> place(std::string_view name, std::uint64_t bytes);
  /// Takes out what no run can have: points beyond all steps and times, and more quantities than anybody
  /// could look at.
  void clean(MetricSegment& segment);
  /// The same; of a summary that is too many quantities, the rest is bounded by its bytes.
  void clean(SegmentSummary& summary);
  /// The index of the run cannot be used, and why.
  void refuseIndex(const Error& why);

  void setWorldSize(int ranks) { worldSize_ = ranks; }
  [[nodiscard]] bool isWithin(Rank rank) const { return rank.value < worldSize_; }
  /// Stable: the same texts as long as nothing of another kind is met.
  [[nodiscard]] const std::vector<Error>& findings() const { return findings_; }

 private:
  enum class Kind { Rank, Size, Points, Names, Index };
  void found(Kind kind, std::string what, std::string cause);
  [[nodiscard]] bool isOneTooMany(const std::string& quantity, const std::string& object);

  int worldSize_ = kMaxRanks;
  std::set<std::string, std::less<>> names_;
  std::set<Kind> kinds_;
  std::vector<Error> findings_;
};

}  // namespace lockstep
