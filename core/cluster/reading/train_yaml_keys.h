// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cluster/reading/key_info.h"

namespace lockstep {

/// The keys that are known in the mapping at `mapping` of a train.yaml; empty when any key may stand there
/// (tags).
[[nodiscard]] std::vector<KeySpelling> knownKeys(const FieldPath& mapping);

/// The same of a `kind: job` file (ads-contract 5.1).
[[nodiscard]] std::vector<KeySpelling> knownJobKeys(const FieldPath& mapping);

/// All spellings of an infrastructure key, the usual one first.
[[nodiscard]] std::vector<std::string> infrastructureSpellings(std::string_view key);

/// Whether two words differ by at most two letters: one of them is a slip of the pen.
[[nodiscard]] bool isSlip(std::string_view a, std::string_view b);

/// Letters to add, remove or change to get from one word to the other, in any case. Words of more than 64
/// characters are far from everything. `limit` + 1 stands for all that is more; a small one is much cheaper.
[[nodiscard]] std::size_t wordDistance(std::string_view a, std::string_view b, std::size_t limit = 64);

/// The candidate nearest to a misspelt word, or empty when none is near.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace lockstep
