// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "logs/search/log_search.h"
#include "logs/store/line_file.h"

namespace lockstep {

/// Searches parts of a snapshot's order. One thread at a time.
class PartSearch {
 public:
  /// Hears of lines that are wanted, ascending: [first, first + count).
  using Found = std::function<void(std::uint64_t first, std::uint64_t count)>;

  /// Hears of each of them, too, but perhaps not of those that are no warnings and no errors. The view is valid until it
  /// returns.
  using Look = std::function<void(std::uint64_t line, const LogLineView& view)>;

  PartSearch(const LogSnapshot& snapshot, const LogQuery& query, Look look = {});
  /// The lines of that part from index `from` on.
  void search(std::size_t part, std::uint64_t from, const Found& found);
  [[nodiscard]] std::optional<Error> tooHard() const;

 private:
  /// Lines of one block, and where they stand in the order.
  struct Piece {
    const LineFile* file = nullptr;
    std::size_t number = 0;  // of the file
    std::size_t block = 0;
    std::uint64_t first = 0, count = 0;  // lines, counted in the block
    std::uint64_t index = 0;             // of the first one
    [[nodiscard]] bool isWholeBlock() const { return first == 0 && count == file->linesIn(block); }
  };
  void searchRun(const LineRun& run, std::uint64_t index, const Found& found);
  void searchPiece(const Piece& piece, const Found& found);
  void searchText(const Piece& piece, BlockText& block, const Found& found);
  void searchLines(const Piece& piece, BlockText& block, const Found& found);
  [[nodiscard]] bool mayHave(const BlockFacts& facts) const;
  [[nodiscard]] LogLineView view(const LineFile& file, BlockText& block, std::uint64_t line,
                                 const LineParts& parts);
  [[nodiscard]] bool isNew(Rank rank);

  const LogSnapshot& snapshot_;
  const LogQuery& query_;
  Look look_;
  std::optional<TextScan> scan_;
  bool needsFacts_;  // of each line
  std::uint64_t rankBits_ = 0;
  BlockTexts texts_;
  std::string node_;
  std::vector<bool> seen_;  // ranks
};

}  // namespace lockstep
