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

/// Consecutive lines of an older order that stand one after another in a newer one, too.
struct SameLines {
  std::uint64_t older = 0, newer = 0, count = 0;  // indices of the first one
  bool operator==(const SameLines&) const = default;
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
  /// Which of its lines are here, and where: ascending in both, as long as they can be. What is in none of them has gone or
  /// is new; an order that does not look further says what commonStart() says.
  [[nodiscard]] virtual std::vector<SameLines> sameLines(const LineOrder& older) const {
    const std::uint64_t count = commonStart(older);
    return count > 0 ? std::vector<SameLines>{{0, 0, count}} : std::vector<SameLines>();
  }
  /// No line has an earlier time than the one before it.
  [[nodiscard]] virtual bool isByTime() const { return false; }
};

}  // namespace lockstep
