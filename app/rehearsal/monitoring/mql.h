// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lockstep::rehearsal {

/// {resourceId = "a", gpu =~ "0|1*"}
struct DimensionFilter {
  std::string dimension;
  std::string value;
  bool isFuzzy = false;    // `*` stands for anything, `|` for "or"
  bool isNegated = false;  // `!=`, `!~`
  [[nodiscard]] bool accepts(const std::string& text) const;
};

enum class Statistic { Mean, Max, Min, Sum, Count, Rate, Increment, Percentile, Absent, First, Last };

/// `.groupBy(a, b).mean()`: what is merged first, and how a window's values become one.
struct MqlStep {
  bool isGrouped = false;
  std::vector<std::string> groupBy;  // empty, and grouped: `.grouping()`, all in one
  Statistic statistic = Statistic::Mean;
  double percentile = 0;
  long long absentMillis = 0;  // of `absent(20m)`; 0: one window
};

/// `> 75`, `in (1, 5)`: the values that are kept.
struct MqlPredicate {
  enum class Kind { Greater, GreaterOrEqual, Equal, NotEqual, Less, LessOrEqual, In, NotIn };
  Kind kind = Kind::Greater;
  double first = 0, second = 0;
  [[nodiscard]] bool accepts(double value) const;
};

/// Metric[interval]{filters}.grouping.statistic() … [predicate] (oci-rest-contract 4.9)
struct MqlQuery {
  std::string metric;
  long long intervalMillis = 0;
  std::vector<DimensionFilter> filters;
  std::vector<MqlStep> steps;  // at least one
  std::optional<MqlPredicate> predicate;
};

/// The error is a sentence with the place, for the caller. Linear in the text, whose length is bounded.
tl::expected<MqlQuery, std::string> parseMql(std::string_view text);

/// "1m" to "60m", "1h" to "24h", "1d", in ms; nullopt: none of these.
[[nodiscard]] std::optional<long long> parseMqlInterval(std::string_view text);

/// Whether text matches one of the alternatives of the pattern: `|` between them, `*` for anything.
[[nodiscard]] bool matchesFuzzy(std::string_view pattern, std::string_view text);

}  // namespace lockstep::rehearsal
