// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "logs/log_filter.h"
#include "logs/text/line_folding.h"
#include "widgets/logs/line_list.h"
#include "widgets/logs/log_lines.h"

namespace lockstep {

/// Which lines a filter lets through, found in slices from the newest to the oldest, so that the window never waits for a
/// long log; and which of those stand for others (LineFolding). Knows nothing of views. UI thread.
class LogRows {
 public:
  explicit LogRows(const LogLines* lines) : log_(lines) {}

  /// Begins anew. Nothing is let through before scan() looked at it.
  void setFilter(LogFilter filter);
  /// Lines later than this are not there; nullopt: all are.
  void setEnd(std::optional<TimePoint> end);
  void setFolding(bool isOn);
  [[nodiscard]] bool isFolding() const { return isFolding_; }

  /// Looks at lines for about as long as this; false: all were looked at.
  bool scan(std::chrono::nanoseconds budget);
  [[nodiscard]] bool isScanning() const { return scanFrom_ > 0; }
  /// Share of the lines that were looked at, from 0 to 1.
  [[nodiscard]] double scanned() const;

  // What happens to the log; each before rows are asked for again.
  void added(const std::vector<std::size_t>& places);
  void dropOldest(std::size_t count);
  void clear();

  /// Lines that are there, whether let through or not: those up to the end that was set.
  [[nodiscard]] std::size_t lineCount() const { return knownEnd_; }
  [[nodiscard]] const LineList& accepted() const { return accepted_; }
  [[nodiscard]] const LineList& errors() const { return errors_; }  // of those that are let through
  [[nodiscard]] const LineList& warnings() const { return warnings_; }
  /// Bytes of the longest line that was let through, up to a megabyte.
  [[nodiscard]] int longestText() const { return longestText_; }

  /// What changed since the last call: from this line on the rows are these.
  struct Tail {
    LineList::Line from = 0;
    std::vector<LineList::Line> rows;
  };
  [[nodiscard]] Tail takeChanges();

  /// The group of a line that is let through; null: it stands alone.
  [[nodiscard]] const LineFolding::Group* groupOf(LineList::Line line) const;
  [[nodiscard]] bool isUnfolded(LineList::Line line) const;
  void setUnfolded(LineList::Line line, bool on);
  /// Where the message of a folded traceback stands: its last line that is no frame; nullopt: it has none.
  [[nodiscard]] std::optional<LineList::Line> messageOf(LineList::Line line) const;

 private:
  [[nodiscard]] std::size_t endLine() const;
  [[nodiscard]] std::size_t firstLine() const;  // that the filter's times let through
  void accept(const std::vector<LineList::Line>& fresh);
  void noteChange(std::size_t place);
  void fold();
  [[nodiscard]] bool isRow(std::uint32_t place) const;
  [[nodiscard]] std::optional<std::uint32_t> placeOf(LineList::Line line) const;
  std::uint32_t sourceOf(const LogLineView& line);

  const LogLines* log_;
  LogFilter filter_;
  std::optional<TimePoint> end_;
  bool isFolding_ = true;
  std::size_t scanFrom_ = 0;     // lines before this were not looked at yet
  std::size_t scanSize_ = 0;     // as many there were when the scan began
  std::size_t knownEnd_ = 0;     // lines from here on are later than end_
  std::size_t changedFrom_ = 0;  // place in accepted_
  LineList accepted_, errors_, warnings_;
  LineList unfolded_;  // first lines of their groups
  LineFolding folding_;
  std::unordered_map<std::string, std::uint32_t> sources_;
  int longestText_ = 0;
};

}  // namespace lockstep
