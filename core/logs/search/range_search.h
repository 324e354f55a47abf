// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "logs/search/line_set.h"
#include "logs/search/log_search.h"

namespace lockstep {

/// Lines of a snapshot: [first, end).
struct LineRange {
  std::uint64_t first = 0, end = 0;
  bool operator==(const LineRange&) const = default;
};

/// Ascending, none empty, and none meets another one.
void sortAndMerge(std::vector<LineRange>& ranges);
/// Takes `taken` out of them.
void subtract(std::vector<LineRange>& ranges, const LineRange& taken);
/// Where they are in a newer order, sorted and merged; what has gone is left out.
[[nodiscard]] std::vector<LineRange> movedTo(const std::vector<LineRange>& ranges,
                                             const std::vector<SameLines>& same);

/// What a search found in consecutive lines.
struct SearchedLines {
  LineRange range;
  LineSet found, errors, warnings;  // errors and warnings: of those that were found
  std::size_t longest = 0;          // bytes of the longest text that was found and looked at
};

/// Searches ranges of a snapshot for somebody who shows it: the newest lines first, in strides of some ten thousand. One
/// thread at a time.
class RangeSearch {
 public:
  /// `ranges` are ascending and do not overlap.
  RangeSearch(std::shared_ptr<const LogSnapshot> snapshot, LogQuery query, std::vector<LineRange> ranges);
  RangeSearch(RangeSearch&& other) noexcept;
  RangeSearch& operator=(RangeSearch&& other) noexcept;
  ~RangeSearch();

  /// Searches on for about `budget`, at least a few thousand lines; what was searched, in any order. Blocks on disk.
  std::vector<SearchedLines> advance(std::chrono::nanoseconds budget, const std::stop_token& stop = {});
  [[nodiscard]] bool isDone() const;
  /// As LogSearch has it.
  [[nodiscard]] std::optional<Error> tooHard() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// All of it in `threads` threads. `report` is called in this thread with what is new, about 20 times a second, sooner the
/// first time; not any more once it is stopped. Blocks.
struct RangesFound {
  std::vector<SearchedLines> lines;
  std::optional<Error> tooHard;
  bool isLast = false;
};
void searchRanges(const std::shared_ptr<const LogSnapshot>& snapshot, const LogQuery& query,
                  const std::vector<LineRange>& ranges, int threads, const std::stop_token& stop,
                  const std::function<void(RangesFound)>& report);

}  // namespace lockstep
