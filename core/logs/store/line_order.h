// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// Consecutive lines of one file.
struct LineRun {
  std::uint32_t file = 0;  // which of the snapshot's
  std::uint64_t first = 0, count = 0;
};

/// A few thousand lines of an order.
struct OrderPart {
  std::uint64_t first = 0, count = 0;
  std::vector<LineRun> runs;  // as they are to be read
};

/// In which order the lines of several files are read. Never changes; any thread.
class LineOrder {
 public:
  virtual ~LineOrder() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual std::size_t partCount() const = 0;
  [[nodiscard]] virtual std::size_t partOf(std::uint64_t index) const = 0;
  [[nodiscard]] virtual std::uint64_t partStart(std::size_t number) const = 0;  // the first line's index
  /// May read the files to find out.
  [[nodiscard]] virtual OrderPart part(std::size_t number) const = 0;
  /// How many lines from the first on are the same as in that older order of the same owner.
  [[nodiscard]] virtual std::uint64_t commonStart(const LineOrder& older) const = 0;
};

}  // namespace lockstep
