// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "logs/search/range_search.h"
#include "logs/store/log_reader.h"
#include "widgets/logs/line_list.h"

namespace lockstep {

/// How the lines of a log have changed from one snapshot to the next.
struct LogChange {
  std::vector<SameLines> same;
  std::vector<LineRange> gone;   // of the older one, ascending
  std::vector<LineRange> fresh;  // of the newer one, ascending

  /// What was there stands where it stood.
  [[nodiscard]] bool isOnlyAtEnd() const;
};

/// The lines of a run as they are now, and which of them the user marked, shared by all models that show them. A line is
/// known by its place in the order of time, which changes as lines come late or the oldest go; the signals say how, and
/// marks stay with their lines. UI thread: what is on the screen is read here, which costs a read of 64 KiB for each place
/// in the log that is looked at, from the disk where the system has it not in memory.
class LogLines : public QObject {
  Q_OBJECT
 public:
  explicit LogLines(QObject* parent = nullptr);
  ~LogLines() override;

  /// A newer snapshot of the same log, or the first one of another after clear(). Null changes nothing.
  void setLog(std::shared_ptr<const LogSnapshot> log);
  void clear();

  /// Null: there is none yet.
  [[nodiscard]] const std::shared_ptr<const LogSnapshot>& log() const { return reader_.snapshot(); }
  [[nodiscard]] std::uint64_t size() const { return reader_.size(); }
  [[nodiscard]] std::uint64_t dropped() const { return log() ? log()->dropped() : 0; }
  [[nodiscard]] std::vector<std::string> nodes() const;
  [[nodiscard]] std::vector<Rank> ranks() const;
  /// Valid until the next call; of a very long line its beginning.
  [[nodiscard]] LogLineView line(std::uint64_t line) const;
  [[nodiscard]] std::string wholeText(std::uint64_t line) const;
  /// The first line that is later than `time`, or not earlier; size(): there is none. Costs some 25 lines.
  [[nodiscard]] std::uint64_t firstAfter(TimePoint time) const;
  [[nodiscard]] std::uint64_t firstFrom(TimePoint time) const;

  [[nodiscard]] const LineList& marks() const { return marks_; }
  void toggleMark(std::uint64_t line);
  void clearMarks();

 signals:
  /// Lines still stand where they stood; those of `gone` are about to go.
  void aboutToChange(const lockstep::LogChange& change);
  void changed(const lockstep::LogChange& change);
  void aboutToClear();
  void cleared();
  void marksChanged();

 private:
  mutable LogReader reader_;
  mutable LogReader seeker_;  // for times, so that what is on the screen stays in memory
  LineList marks_;
};

}  // namespace lockstep
