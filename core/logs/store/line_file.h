// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "logs/store/file_index.h"
#include "logs/store/line_syntax.h"
#include "logs/store/log_bytes.h"

namespace lockstep {

/// Ranks that were seen in the lines of a file. Any thread.
class SeenRanks {
 public:
  void add(const std::set<Rank>& ranks) {
    const std::lock_guard lock(mutex_);
    ranks_.insert(ranks.begin(), ranks.end());
  }
  [[nodiscard]] std::set<Rank> all() const {
    const std::lock_guard lock(mutex_);
    return ranks_;
  }

 private:
  mutable std::mutex mutex_;
  std::set<Rank> ranks_;
};

/// A file of lines as it is now. Never changes, but for what searches find out about it; any thread.
struct LineFile {
  std::shared_ptr<const LogBytes> bytes;
  FileIndex index;
  LineSyntax syntax = LineSyntax::Text;
  std::uint64_t id = 0;
  std::string node;  // of lines that say none
  std::shared_ptr<SeenRanks> ranks = std::make_shared<SeenRanks>();

  /// The bytes of a block are [offset, blockEnd).
  [[nodiscard]] std::uint64_t blockEnd(std::size_t block) const;
  [[nodiscard]] std::uint64_t linesIn(std::size_t block) const;
  /// What more will be written may still belong to it.
  [[nodiscard]] bool mayGrow(std::size_t block) const { return block + 1 == index.blocks.size(); }
};

/// The text of a block, with where its lines begin. One thread at a time.
class BlockText {
 public:
  /// Reads at most `most` bytes of it, unless they are here already. The file outlives the next call.
  void load(const LineFile& file, std::size_t block, std::uint64_t most);
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t lines();
  /// Without its LF. What was not read or is no longer in the file is missing: `isCut`.
  [[nodiscard]] std::string_view line(std::size_t n, bool* isCut = nullptr);
  /// Where it begins in text().
  [[nodiscard]] std::size_t start(std::size_t n);
  /// The time of a line: its own, or that of the last line before it that says one; zero: none does. Looks at each line
  /// once.
  [[nodiscard]] TimePoint time(std::size_t n);

 private:
  void findStarts();

  const LogBytes* bytes_ = nullptr;
  std::size_t block_ = 0;
  std::uint64_t end_ = 0, whole_ = 0;  // of the block in the file; its bytes
  std::uint64_t wanted_ = 0;           // bytes that were asked for
  std::string text_;
  std::vector<std::size_t> starts_;
  LineSyntax syntax_ = LineSyntax::Text;
  std::int64_t timeBefore_ = kNoTime;
  std::vector<std::int64_t> times_;  // of the first lines, as far as they were asked for
};

/// A block of each of several files, so that lines which alternate between the files are not read again and again.
class BlockTexts {
 public:
  /// The block of the file with that number, read as far as `most` says.
  BlockText& load(std::size_t number, const LineFile& file, std::size_t block, std::uint64_t most);

 private:
  std::vector<BlockText> texts_;  // by the file's number
};

}  // namespace lockstep
