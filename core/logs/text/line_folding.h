// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "logs/text/line_part.h"

namespace lockstep {

/// Which lines of a sequence belong together although lines of others stand between them: a traceback or crash dump and
/// its frames, what NCCL tells in one go, and the updates of one progress bar. Lines are known by their position in the
/// sequence and belong only to lines of the same source. Not thread-safe. About 8 bytes a line.
class LineFolding {
 public:
  enum class Kind : std::uint8_t { Block, Progress };
  struct Group {
    Kind kind = Kind::Block;
    std::uint32_t first = 0, last = 0;  // positions
    std::uint32_t count = 1;            // of its lines
    /// The one line that stands for all of them: the first of a block, the newest of a progress bar.
    [[nodiscard]] std::uint32_t shown() const { return kind == Kind::Progress ? last : first; }
  };

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  /// Takes the next line in. Costs the beginning of its text.
  void append(std::uint32_t source, std::string_view text);
  /// Forgets lines so that those from `position` on can be appended anew. It goes back further than asked for, at most
  /// kBetweenCheckpoints lines: the new size().
  std::uint32_t truncate(std::uint32_t position);
  void clear();

  /// The group that a line belongs to; null: it stands alone.
  [[nodiscard]] const Group* groupOf(std::uint32_t position) const;
  /// The line of its group before this one; itself when there is none.
  [[nodiscard]] std::uint32_t previousOf(std::uint32_t position) const { return entries_[position].previous; }
  /// The first line since the last call that is shown now and was not, or the other way round, or stands for another number
  /// of lines; size(): none is.
  std::uint32_t takeChangedFrom();

  static constexpr std::uint32_t kBetweenCheckpoints = 4096;

 private:
  enum class Await : std::uint8_t {
    Nothing,
    Message,
    Frames,
    Chaining,
    News
  };  // Message: frames and how it ended
  struct Bar {
    std::string name;
    std::uint32_t group;
  };
  struct Source {
    Await await = Await::Nothing;
    std::uint32_t group = 0;
    std::vector<Bar> bars;  // that were drawn in the lines since the last other one
  };
  struct Entry {
    std::uint32_t group;     // its first line
    std::uint32_t previous;  // the line of the group before this one
  };
  using Sources = std::unordered_map<std::uint32_t, Source>;

  void appendProgress(Source& source, std::string_view text);
  /// Whether the line goes on with the open block of its source; says what the block may go on with after it.
  static bool goesOn(Source& source, LinePart part);
  static Await awaitedAfter(LinePart begin);
  void join(std::uint32_t group, Kind kind);
  void noteChange(std::uint32_t position);

  std::vector<Entry> entries_;
  std::unordered_map<std::uint32_t, Group> groups_;  // of two lines and more, by their first
  Sources sources_;
  std::map<std::uint32_t, Sources> checkpoints_;  // as they were before the line at that position
  std::uint32_t changedFrom_ = 0;
};

}  // namespace lockstep
