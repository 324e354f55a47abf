// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "metrics/lines/line_choice.h"
#include "metrics/lines/line_rules.h"
#include "metrics/lines/value_pairs.h"

namespace lockstep {

/// What one line says, as the rule that took it has it.
struct LineMatch {
  std::size_t rule = 0;  // its place in LineMatcher::rules()
  std::optional<double> epoch;
  std::optional<Step> step, batch;
  std::optional<Step> steps, batches, epochs;  // in all
  ValuePairs::Pairs values;
};

/// Tries the rules on lines: the rules of a user first, then lineRules(). One thread at a time.
class LineMatcher {
 public:
  /// `own`: expressions with named groups as LineRule has them. InvalidArgument names the one that is malformed or names
  /// no quantity.
  static Result<LineMatcher> open(std::span<const std::string> own = {});
  /// The same with the rules of a choice alone; of one that is off: with none.
  static Result<LineMatcher> open(const LineChoice& choice);

  /// Without the marks of launchers, the time and the level that stand before what a script says; colours are left out. Of
  /// longer lines the first 4,096 bytes. nullopt: no rule takes it.
  [[nodiscard]] std::optional<LineMatch> match(std::string_view line);
  /// How often the work on a line was given up because an own expression took too long.
  [[nodiscard]] std::size_t givenUp() const { return givenUp_; }
  /// By the numbers of LineMatch. The texts of own rules live as long as this object.
  [[nodiscard]] std::span<const LineRule> rules() const { return rules_; }

 private:
  struct Groups {
    std::vector<std::string> own;  // names that are quantities
  };
  LineMatcher() = default;
  Result<void> add(const LineRule& rule);
  [[nodiscard]] LineMatch read(std::size_t rule, std::string_view line);

  std::vector<std::string> ownTexts_;
  std::vector<LineRule> rules_;
  std::vector<PatternMatcher> matchers_;  // of rules_
  std::vector<Groups> groups_;            // of rules_
  std::optional<PatternMatcher> prefix_;
  ValuePairs pairs_;
  std::size_t givenUp_ = 0;
};

/// One line as it would look on a terminal: without escape sequences and control characters.
[[nodiscard]] std::string withoutColours(std::string_view line);

}  // namespace lockstep
