// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pattern/text_pattern.h"

namespace lockstep {

/// Finds names with their numbers in what a training script prints: "loss: 0.4 - accuracy: 0.88", "'lr': 5e-05",
/// "train loss 0.51, time 300.1ms", "Loss 6.9 (7.0)", "102.5 img/sec". One thread at a time.
class ValuePairs {
 public:
  using Pairs = std::vector<std::pair<std::string, double>>;

  ValuePairs();
  /// At most 64, each name once (its first number), with the names of the catalogue where they mean the same
  /// (metricNameOf). Times of a step that say their unit, and rates of steps, become kStepMs.
  [[nodiscard]] Pairs find(std::string_view text);

 private:
  void addNamed(std::string_view text, Pairs& to);
  void addRates(std::string_view text, Pairs& to);

  PatternMatcher named_;
  PatternMatcher rates_;
};

/// "lm loss" and "Loss" as a quantity is called: lower case, with the name of the catalogue where it means the same.
[[nodiscard]] std::string quantityName(std::string_view printed);

/// A number as scripts print it, "nan" and "-inf" among them; nullopt: none.
[[nodiscard]] std::optional<double> printedNumber(std::string_view text);

}  // namespace lockstep
