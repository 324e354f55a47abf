// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string_view>

namespace lockstep::rehearsal {

/// '*' stands for any number of characters, everything else for itself. Never goes back further than to the
/// last star: no pattern is slow.
[[nodiscard]] bool matchesWildcard(std::string_view pattern, std::string_view text);
/// The same, where 'A' is 'a', as in the conditions of policies.
[[nodiscard]] bool matchesWildcardInAnyCase(std::string_view pattern, std::string_view text);

}  // namespace lockstep::rehearsal
