// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "comparison/compared_run.h"

namespace lockstep {

/// Which of several runs is the better one by a quantity, and by how much: the best by the mean of the last fifth of its steps,
/// against the next best. How far off the difference may be follows from how much the values scatter within the two runs
/// (RunResult::error); what another seed would have made of them it does not say.
struct Verdict {
  enum class Kind {
    Unknown,  // fewer than two runs have it, or nothing of it is better than another
    Open,     // the difference is within its uncertainty, or nobody can tell that
    Clear,
  };
  Kind kind = Kind::Unknown;
  std::string metric;
  std::size_t best = 0, next = 0;     // among the runs
  double difference = 0;              // of their means; never negative
  double share = 0;                   // of the next one's mean, where that is not zero
  std::optional<double> uncertainty;  // kSureErrors standard errors of the difference; absent: too few values
  bool isLargerBetter = false;
};
/// A difference is clear beyond so many of its standard errors: of 100 that are none at all some 5 would seem to be.
inline constexpr double kSureErrors = 2;

[[nodiscard]] Verdict verdictOn(const std::vector<ComparedRun>& runs, const std::string& metric);

/// "b's loss is 0.031 ± 0.004 lower than a's", "no difference in loss between a and b can be told: 0.001 ± 0.004"; English.
/// Empty: Unknown.
[[nodiscard]] std::string toText(const Verdict& verdict, const std::vector<std::string>& labels);
/// One line about all: what is best by the main quantity, and by throughput where that differs clearly. Empty: nothing can be said.
[[nodiscard]] std::string verdictLine(const std::vector<ComparedRun>& runs, const std::string& metric);

/// A number with as many digits as its uncertainty leaves sense in: 0.03123 ± 0.0041 is "0.031" and "0.004".
struct RoundedNumber {
  std::string value, uncertainty;
};
[[nodiscard]] RoundedNumber rounded(double value, std::optional<double> uncertainty);

}  // namespace lockstep
