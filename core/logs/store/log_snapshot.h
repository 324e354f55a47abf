// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "logs/log_filter.h"
#include "logs/store/line_file.h"
#include "logs/store/line_order.h"

namespace lockstep {

/// What stays with a line while others come before it: where its bytes lie.
struct LineId {
  std::uint64_t file = 0;  // counted over the life of whoever owns the lines
  std::uint64_t line = 0;  // in that file
  auto operator<=>(const LineId&) const = default;
};

/// Lines on disk as they are now, in the order in which they are to be read: by time, equal times in the order of arrival
/// (a single text file: as it stands). Never changes; any thread. Holds no text: a LogReader reads it. What its owner
/// drops or somebody deletes from the disk meanwhile stays readable for as long as a snapshot of it lives; of a text file
/// that is cut or written over, lines that are gone read as empty.
class LogSnapshot {
 public:
  LogSnapshot(std::vector<std::shared_ptr<const LineFile>> files, std::shared_ptr<const LineOrder> order,
              std::vector<std::string> nodes, std::vector<Rank> ranks, std::uint64_t dropped = 0);

  [[nodiscard]] std::uint64_t size() const { return order_->size(); }
  [[nodiscard]] std::uint64_t bytes() const;  // on disk
  /// Older lines that its owner has let go because of a limit.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  /// Names of the nodes that lines came from, in the order of their first line; a text file is a node of its own.
  [[nodiscard]] const std::vector<std::string>& nodes() const { return nodes_; }
  /// Ranks that lines came from, ascending; of text files those in the parts that a search looked at so far.
  [[nodiscard]] std::vector<Rank> ranks() const;

  [[nodiscard]] LineId idOf(std::uint64_t index) const;
  /// Where that line stands now; nullopt: it is not here (any more). `near` is where it stood before. Cost: a few
  /// thousand lines around it when it moved by little, else all.
  [[nodiscard]] std::optional<std::uint64_t> indexOf(LineId id, std::uint64_t near) const;
  /// The first lines that are the same in both, so that what was made of them can stay. Cost: a look at every few
  /// thousandth line at the most.
  [[nodiscard]] std::uint64_t commonStart(const LogSnapshot& older) const;
  /// Where the lines of an older one of the same owner are here; LineOrder::sameLines(). Of another KeptLog: none is.
  [[nodiscard]] std::vector<SameLines> sameLines(const LogSnapshot& older) const;

  [[nodiscard]] const std::vector<std::shared_ptr<const LineFile>>& files() const { return files_; }
  [[nodiscard]] const LineOrder& order() const { return *order_; }

 private:
  std::vector<std::shared_ptr<const LineFile>> files_;
  std::shared_ptr<const LineOrder> order_;
  std::vector<std::string> nodes_;
  std::vector<Rank> ranks_;
  std::uint64_t dropped_;
};

}  // namespace lockstep
