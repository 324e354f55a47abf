// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "logs/store/log_snapshot.h"

namespace lockstep {

/// Reads lines of a snapshot. Keeps the block that it read last of each file, so that neighbours cost some 100 ns each and a jump a read
/// of 64 KiB (tens of microseconds when the system has it in memory). One thread at a time; as many readers as wanted.
class LogReader {
 public:
  /// Of a longer line only so many bytes are given here (`isCut`); searches and wholeText() see the rest.
  static constexpr std::size_t kMaxShown = 64 * 1024;

  LogReader() = default;
  explicit LogReader(std::shared_ptr<const LogSnapshot> snapshot) : snapshot_(std::move(snapshot)) {}
  [[nodiscard]] const std::shared_ptr<const LogSnapshot>& snapshot() const { return snapshot_; }
  [[nodiscard]] std::uint64_t size() const { return snapshot_ ? snapshot_->size() : 0; }

  /// The views are valid until the next call. The bytes are as they are on the disk: not always UTF-8, NULs and escape
  /// sequences included; without the line end (LF or CRLF). A line of a text file that says no time has that of the line
  /// before it.
  LogLineView line(std::uint64_t index);
  /// The last line() had more bytes than were given.
  [[nodiscard]] bool isCut() const { return isCut_; }
  /// All of it, however long.
  std::string wholeText(std::uint64_t index);
  /// The first line that is not before `time`, where lines stand in the order of their times; size(): none. About 25 lines
  /// are read.
  std::uint64_t lowerBound(TimePoint time);

 private:
  struct Place {
    const LineFile* file = nullptr;
    std::size_t number = 0;  // of the file
    std::size_t block = 0;
    std::size_t line = 0;  // in the block
  };
  Place placeOf(std::uint64_t index);

  std::shared_ptr<const LogSnapshot> snapshot_;
  OrderPart part_;  // of the last line
  bool hasPart_ = false;
  std::size_t run_ = 0;         // of it, the last line's
  std::uint64_t runStart_ = 0;  // index of the run's first line
  BlockTexts blocks_;
  std::string node_;  // when it had to be decoded
  bool isCut_ = false;
};

}  // namespace lockstep
