// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/lines/line_matcher.h"
#include "metrics/lines/line_recognizer.h"
#include "metrics/metric_sample.h"

namespace lockstep {

/// How one rule has fared with the lines of a run.
struct LineRuleUse {
  std::string id;          // of lineRules(); "own" of an expression of the user's
  std::string pattern;     // of that; else empty
  long long lines = 0;     // that it took, of all ranks
  TimePoint since{};       // the time of the first
  std::string example;     // the first, without its colours, cut to a length that can be shown
  bool isActive = false;   // values of it are believed, of some rank
  std::string offBecause;  // why of none any more, where it is not; English
};

/// Samples that the lines of a run report (docs/script-metrics.md), for runs whose nodes have left no metrics: those that
/// no agent of ours has run. One thread.
class PrintedSamples {
 public:
  /// Of the choice what can be used.
  explicit PrintedSamples(const LineChoice& choice = {});
  /// Lines of any ranks, each rank's in the order of their times over all calls; one that is not is passed over by its rule.
  /// Without a rank: of nobody who trains.
  void add(const std::optional<Rank>& rank, TimePoint time, std::string_view text);
  /// What has become certain since the last call, each series in step order; empty: nothing.
  [[nodiscard]] std::vector<MetricSeriesBatch> take();
  /// The rules that have taken any line so far, in the order in which they are tried.
  [[nodiscard]] std::vector<LineRuleUse> uses() const;

 private:
  void noteUse(std::size_t rule, TimePoint time, std::string_view text);

  LineMatcher matcher_;
  std::map<Rank, LineRecognizer> ranks_;
  std::map<std::pair<Rank, std::string>, std::vector<MetricPoint>> series_;
  std::map<std::size_t, LineRuleUse> uses_;  // by the number of the rule; its lines are counted by ranks_
};

}  // namespace lockstep
