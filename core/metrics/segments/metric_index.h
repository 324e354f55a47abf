// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep {

/// How many raw segments of each rank are stored, in one small object that is written anew all the time, so that who
/// follows a run asks for one object and no listing (docs/formats/metric-segments.md 9). A hint: what it does not name may be
/// there, and rank 0, which writes it, may be gone.
struct MetricIndex {
  std::uint64_t written = 0;  // how often so far: another number shows that somebody writes it still
  std::vector<std::uint64_t> segments = {};  // by rank; 0: none yet, or not known
};

inline constexpr std::size_t kMaxIndexBytes = 1 << 20;

[[nodiscard]] std::string toText(const MetricIndex& index);
/// DataLoss: not an index, of a newer version, or with numbers that no run has.
[[nodiscard]] Result<MetricIndex> parseMetricIndex(std::string_view text);

}  // namespace lockstep
