// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string>

#include "diagnosis/findings/finding.h"

namespace lockstep {

// Numbers as they stand in findings, the same in every language.

/// 0.234 -> "23 %"
[[nodiscard]] FindingArgument shareArgument(double share);
/// "12.3 ms", "1.2 s"
[[nodiscard]] FindingArgument millisecondsArgument(double milliseconds);
/// "1.5 GB", "120 MB"
[[nodiscard]] FindingArgument bytesArgument(double bytes);
/// Three digits that matter: "0.00123", "12.3", "1.2e+09".
[[nodiscard]] FindingArgument numberArgument(double value);
[[nodiscard]] FindingArgument stepArgument(Step step);
[[nodiscard]] FindingArgument rankArgument(Rank rank);
/// "0-3, 17"; of many only the first ones and "…".
[[nodiscard]] FindingArgument ranksArgument(std::span<const Rank> ranks);
[[nodiscard]] FindingArgument lastingArgument(std::chrono::nanoseconds lasting);
[[nodiscard]] FindingArgument plainArgument(std::string text);

}  // namespace lockstep
