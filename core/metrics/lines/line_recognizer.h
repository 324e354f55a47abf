// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "metrics/lines/line_matcher.h"

namespace lockstep {

/// Values that a line reported, and the step that they belong to.
struct PrintedRow {
  Step step = 0;
  TimePoint time{};
  ValuePairs::Pairs values;
};

/// How one rule has fared with the lines of one rank.
struct RuleUse {
  long long lines = 0;     // that it took
  bool isActive = false;   // enough of them agreed
  std::string offBecause;  // why it is used no more; empty: it is
};

/// Turns the reports that one rank prints into rows. A rule counts only once it has matched consistently: several lines
/// whose steps do not go back and that report the same quantities; what they said is given then, too. Batches are counted
/// on over the epochs. One thread at a time.
class LineRecognizer {
 public:
  /// What has become certain by this match, in order.
  std::vector<PrintedRow> add(const LineMatch& match, const LineRule& rule, TimePoint time);
  /// Where the rank is, as far as its lines say; nullopt: they have not.
  [[nodiscard]] std::optional<Step> step() const { return step_; }
  /// By the number of the rule.
  [[nodiscard]] const std::map<std::size_t, RuleUse>& uses() const { return uses_; }

 private:
  struct Track {
    std::optional<Step> last;
    long long wentBack = 0;
    std::vector<std::string> names;  // of the quantities it reported first
    long long strange = 0;           // matches that had none of them
    std::vector<PrintedRow> waiting;
  };
  Step place(const LineMatch& match, const LineRule& rule);
  std::optional<Step> placeOfBatch(const LineMatch& match, const LineRule& rule);
  static bool agrees(Track& track, const PrintedRow& row);
  /// How many steps there will be, when that has become known or has changed.
  std::optional<Step> newTotal(const LineMatch& match);
  void settle(RuleUse& use, const Track& track) const;

  std::map<std::size_t, RuleUse> uses_;
  std::map<std::size_t, Track> tracks_;
  std::optional<Step> step_;
  bool isAbsolute_ = false;  // a rule gives steps from the beginning of the training
  std::optional<Step>
      loop_;  // how many batches the loop has that is counted; other loops are evaluations and the like
  bool isLoopSure_ = false;  // it has reported a loss
  std::optional<Step> epochs_, total_;
  Step base_ = 0, done_ = 0;  // batches of the epochs before; of this one
  std::optional<double> firstEpoch_;
};

}  // namespace lockstep
