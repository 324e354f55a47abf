// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

/// What changed between two texts line by line, in the unified format of diff(1) with three lines around each
/// change, so that patch(1) can apply it. Empty when they are the same. Pure; texts that differ in thousands
/// of places are shown as one change.
[[nodiscard]] std::string unifiedDifference(std::string_view before, std::string_view after,
                                            std::string_view beforeName, std::string_view afterName);

}  // namespace lockstep
