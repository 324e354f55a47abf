// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "logs/store/line_file.h"
#include "logs/store/line_order.h"

namespace lockstep {

/// How far a merge has come: in each file the next line and the latest time before it.
struct MergePoint {
  struct InFile {
    std::uint64_t line = 0;
    std::int64_t time = kNoTime;
    bool operator==(const InFile&) const = default;
  };
  std::vector<InFile> files;
  std::int64_t time = kNoTime;  // of the last line that was merged
};

/// The lines of several files merged by time. Within a file they stay as they stand there: a line that goes back in time
/// counts as one of the latest time before it; of equal times the file that comes first goes first. Kept are only points,
/// 16 bytes per file for each 4,096 lines; the lines between are merged again whenever they are read.
class MergedOrder final : public LineOrder {
 public:
  using Files = std::vector<std::shared_ptr<const LineFile>>;
  static constexpr std::uint64_t kLinesInPart = 4096;

  /// Merges `files`; what it has in common with `older`, which may be null, is not merged again. Stopped: not to the end.
  /// Blocks on disk, reads every line once.
  [[nodiscard]] static std::shared_ptr<const MergedOrder> make(Files files, const MergedOrder* older,
                                                               const std::stop_token& stop);
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] std::size_t partCount() const override {
    return static_cast<std::size_t>((size_ + kLinesInPart - 1) / kLinesInPart);
  }
  [[nodiscard]] std::size_t partOf(std::uint64_t index) const override {
    return static_cast<std::size_t>(index / kLinesInPart);
  }
  [[nodiscard]] std::uint64_t partStart(std::size_t number) const override { return number * kLinesInPart; }
  [[nodiscard]] OrderPart part(std::size_t number) const override;
  [[nodiscard]] std::uint64_t commonStart(const LineOrder& older) const override;
  [[nodiscard]] std::size_t memory() const;

 private:
  MergedOrder() = default;
  [[nodiscard]] std::size_t pointsThatStay(const Files& newer) const;

  Files files_;
  std::vector<std::shared_ptr<const MergePoint>>
      points_;  // where each part begins, and where the last one ends
  std::uint64_t size_ = 0;
};

}  // namespace lockstep
