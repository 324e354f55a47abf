// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"

namespace lockstep {

/// The ranks of a list such as "0-3, 17", ascending and each once; blanks and commas part them. Error: what is no number or
/// range, a range that goes down, or a rank that is not below `end`. Costs no more than `end`, whatever the text says.
[[nodiscard]] Result<std::vector<Rank>> parseRankList(std::string_view text, int end);

/// The inverse: "0-3, 17". `ranks` ascend.
[[nodiscard]] std::string rankListText(std::span<const Rank> ranks);

}  // namespace lockstep
