// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "logs/text/line_folding.h"
#include "widgets/logs/line_list.h"
#include "widgets/logs/log_lines.h"

namespace lockstep {

/// Which lines a filter lets through, as somebody finds them, and which of those stand for others (LineFolding, of up to
/// kMaxFolded lines). Knows nothing of views. UI thread; what is done with many lines at once shares pieces of LineSets.
class LogRows {
 public:
  static constexpr std::uint64_t kMaxFolded = 1'000'000;  // of more lines, none is folded
  /// A table of Qt keeps some bytes for each row, looks at all of them whenever some come or go (2 ns each), and counts
  /// pixels as int: more rows would hold the window up.
  static constexpr std::uint64_t kMaxRows = 20'000'000;

  explicit LogRows(const LogLines* lines) : log_(lines) {}

  /// Begins anew: what is let through has to be found, unless the filter lets all through. nullopt: nothing is wanted.
  void setFilter(std::optional<LogQuery> filter);
  [[nodiscard]] const std::optional<LogQuery>& filter() const { return filter_; }
  /// Lines later than this are not there; nullopt: all are.
  void setEnd(std::optional<TimePoint> end);
  void setFolding(bool isOn);
  [[nodiscard]] bool isFolding() const { return isFolding_; }
  /// Of more, the newest ones are rows.
  void setMostRows(std::uint64_t rows);

  /// The log has another snapshot.
  void follow(const LogChange& change);
  void clear();

  /// Where the log has to be searched; what has been searched since comes to put().
  [[nodiscard]] const std::vector<LineRange>& unsearched() const { return unsearched_; }
  void put(const SearchedLines& lines);
  /// What the filter lets through is not known yet; new lines that are still to be looked at do not count.
  [[nodiscard]] bool isScanning() const { return isFirstSearch_; }
  /// Share of the lines that were looked at, from 0 to 1.
  [[nodiscard]] double scanned() const;
  /// Goes on with folding for about as long as this; whether there is more to fold.
  bool fold(std::chrono::nanoseconds budget);

  /// Lines that are there, whether let through or not: those up to the end that was set.
  [[nodiscard]] std::uint64_t lineCount() const { return end_; }
  [[nodiscard]] const LineSet& accepted() const { return sets().accepted; }
  [[nodiscard]] const LineSet& errors() const { return sets().errors; }  // of those that are let through
  [[nodiscard]] const LineSet& warnings() const { return sets().warnings; }
  /// Older lines that are let through and have no row.
  [[nodiscard]] std::uint64_t cut() const { return cutPlace_; }
  /// Bytes of the longest line that was let through and looked at, up to a megabyte.
  [[nodiscard]] int longestText() const { return longestText_; }

  /// Where rows may have changed since the last call: ascending, apart from each other. If there were more than `many`,
  /// those that are near each other are one.
  [[nodiscard]] std::vector<LineRange> takeDirty(std::size_t many);
  /// The lines in this range that are rows.
  [[nodiscard]] LineSet rowsIn(const LineRange& range) const;

  /// The group of a line that is let through; null: it stands alone.
  [[nodiscard]] const LineFolding::Group* groupOf(std::uint64_t line) const;
  [[nodiscard]] bool isUnfolded(std::uint64_t line) const;
  void setUnfolded(std::uint64_t line, bool on);
  /// Where the message of a folded traceback stands: its last line that is no frame; nullopt: it has none.
  [[nodiscard]] std::optional<std::uint64_t> messageOf(std::uint64_t line) const;

 private:
  struct Sets {
    LineSet accepted, errors, warnings;
  };
  [[nodiscard]] const Sets& sets() const { return endTime_ ? visible_ : all_; }
  [[nodiscard]] bool wantsAll() const { return filter_ && filter_->wantsAll(); }
  void addUnsearched(const std::vector<LineRange>& ranges);
  void noteSearched(const LineRange& range);
  void noteSets();
  void noteDirty(std::uint64_t from, std::uint64_t end);
  void noteChange(std::uint64_t line);
  void updateEnd();
  void updateCut();
  [[nodiscard]] bool canFold() const;
  void stopFolding();
  [[nodiscard]] bool isRow(std::uint32_t place, std::uint64_t line) const;
  [[nodiscard]] std::optional<std::uint32_t> placeOf(std::uint64_t line) const;
  std::uint32_t sourceOf(const LogLineView& line);

  const LogLines* log_;
  std::optional<LogQuery> filter_ = LogQuery();
  std::optional<TimePoint> endTime_;
  std::uint64_t end_ = 0;  // lines from here on are later than endTime_
  bool isFolding_ = true;
  std::uint64_t mostRows_ = kMaxRows;
  std::uint64_t cutPlace_ = 0, cutLine_ = 0;  // those accepted before have no row
  Sets all_, visible_;                        // visible_: up to the end
  std::vector<LineRange> unsearched_;
  bool isFirstSearch_ = false;
  std::uint64_t toSearch_ = 0;  // lines, when the first search began
  std::vector<LineRange> dirty_;
  std::uint64_t changedFrom_ = 0;  // line
  LineList unfolded_;              // first lines of their groups
  LineFolding folding_;            // of the first accepted lines
  std::unordered_map<std::string, std::uint32_t> sources_;
  int longestText_ = 0;
};

}  // namespace lockstep
