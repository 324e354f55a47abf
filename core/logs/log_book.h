// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logs/log_filter.h"
#include "logs/log_line.h"

namespace lockstep {

/// The lines of a run in the order of their time; lines of the same time in the order in which they came.
/// Keeps text in large blocks: about 32 bytes a line beyond its text. What is beyond its limits is let go,
/// the oldest first, when its owner says so: dropOldest(surplus()). Not thread-safe.
class LogBook {
 public:
  struct Limits {
    std::size_t lines = 200'000;
    std::size_t bytes = 64 << 20;  // of text
  };
  LogBook() = default;
  explicit LogBook(Limits limits) : limits_(limits) {}

  /// Takes new lines in, in any order; the places that they now have, ascending. All lines that were there
  /// before keep their order. Sources are trusted to yield each line once: nothing is compared here.
  std::vector<std::size_t> add(const std::vector<LogLine>& lines);
  void clear();

  /// How many of the oldest lines have to go; a tenth more than needed, so that it is not asked for at every
  /// line.
  [[nodiscard]] std::size_t surplus() const;
  /// The places of all other lines become smaller by as much.
  void dropOldest(std::size_t count);
  /// How many went so far.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] LogLineView line(std::size_t index) const;
  /// Names of the nodes that lines came from, in the order of their first line.
  [[nodiscard]] const std::vector<std::string>& nodes() const { return nodes_; }
  /// Ranks that lines came from, ascending.
  [[nodiscard]] const std::vector<Rank>& ranks() const { return ranks_; }
  /// Indices of the lines that the filter accepts, from `first` on.
  [[nodiscard]] std::vector<std::uint32_t> matching(const LogFilter& filter, std::size_t first = 0) const;

 private:
  struct Entry {
    TimePoint time{};
    const char* text = nullptr;
    std::uint32_t length = 0;
    std::int32_t rank = -1;  // -1: none
    std::uint16_t node = 0;
    LogLevel level = LogLevel::Info;
  };

  Entry entryOf(const LogLine& line);
  const char* keep(std::string_view text);
  std::uint16_t nodeIndex(const std::string& name);

  Limits limits_;
  std::size_t textBytes_ = 0;
  std::size_t dropped_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t blockSize_ = 0;  // of the last block
  std::size_t blockFree_ = 0;  // bytes left in it
  std::vector<std::string> nodes_;
  std::vector<Rank> ranks_;
};

}  // namespace lockstep
