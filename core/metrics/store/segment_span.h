// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstdint>

namespace lockstep {

/// The raw segments [first, end) of one rank, by their numbers: where samples can be read again. Empty: nowhere.
struct SegmentSpan {
  std::uint64_t first = 0, end = 0;

  [[nodiscard]] bool isEmpty() const { return first >= end; }
  [[nodiscard]] std::uint64_t size() const { return isEmpty() ? 0 : end - first; }
  void include(const SegmentSpan& other) {
    if (other.isEmpty()) return;
    *this = isEmpty() ? other : SegmentSpan{std::min(first, other.first), std::max(end, other.end)};
  }
  auto operator<=>(const SegmentSpan&) const = default;
};

/// More of them are not read again at once.
inline constexpr std::uint64_t kMaxSegmentsAgain = 4096;

}  // namespace lockstep
