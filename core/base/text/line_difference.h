// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// One stretch of lines that were taken out and others that came in their place.
struct LineChange {
  std::size_t before = 0, removed = 0;  // first line (from 0) and number of lines
  std::size_t after = 0, added = 0;
};

/// The fewest removed and added lines that lead from one list of lines to the other (Myers 1986), in order; what stands
/// between two changes is the same in both. Lines are the same when their bytes are. Pure. Lists that differ in more
/// than some thousand places get a coarser answer in bounded time and memory: one change, of everything between their
/// common beginning and their common end.
[[nodiscard]] std::vector<LineChange> lineChanges(const std::vector<std::string_view>& before,
                                                  const std::vector<std::string_view>& after);

/// What changed between two texts line by line, in the unified format of diff(1) with three lines around each
/// change, so that patch(1) can apply it. Empty when they are the same. Pure; texts that differ in thousands
/// of places are shown as one change.
[[nodiscard]] std::string unifiedDifference(std::string_view before, std::string_view after,
                                            std::string_view beforeName, std::string_view afterName);

}  // namespace lockstep
