// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QDateTime>
#include <cstdint>
#include <vector>

#include "logs/log_book.h"

namespace lockstep {

/// The lines of a run that a filter lets through, in time order. Rows are made as they are asked for; lines
/// that come late are inserted where they belong. Of very long logs the oldest lines go.
class LogModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { TimeColumn, RankColumn, NodeColumn, TextColumn, ColumnCount };
  enum Role { RankRole = Qt::UserRole, LevelRole };  // int, -1: no rank; int(LogLevel)

  explicit LogModel(QObject* parent = nullptr, LogBook::Limits limits = {});

  void addLines(const std::vector<LogLine>& lines);
  void setFilter(LogFilter filter);
  void clear();

  [[nodiscard]] const LogBook& book() const { return book_; }
  /// Older lines that are no longer kept here.
  [[nodiscard]] std::size_t droppedCount() const { return book_.dropped(); }
  [[nodiscard]] std::size_t hiddenCount() const { return book_.size() - visible_.size(); }
  [[nodiscard]] LogLineView lineAt(int row) const;
  /// The line as text for the clipboard: time, rank, node, text.
  [[nodiscard]] QString copyText(int row) const;
  /// The next row from `row` on (excluding it) whose text matches, going round at the end; -1: none at all.
  [[nodiscard]] int findRow(const TextMatcher& wanted, int row, bool forward) const;
  /// Where a line of the book is shown, or the first row after it.
  [[nodiscard]] int rowOfLine(std::size_t line) const;
  [[nodiscard]] std::size_t lineOfRow(int row) const { return visible_[static_cast<std::size_t>(row)]; }
  /// Characters of the longest line that is or was shown.
  [[nodiscard]] int longestText() const { return longestText_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  using Lines = std::vector<std::uint32_t>;
  void moveUp(const std::vector<std::size_t>& places);
  void insertGroups(const Lines& fresh);
  void rewriteTail(const Lines& fresh);
  void dropOldest(std::size_t lines);
  void noteLength(const LogLineView& line);

  LogBook book_;
  LogFilter filter_;
  Lines visible_;  // indices into book_, ascending
  int longestText_ = 0;
};

/// "14:20:29.112" in local time.
[[nodiscard]] QString lineTimeText(TimePoint time);
[[nodiscard]] QString levelText(LogLevel level);  // "Warning"

}  // namespace lockstep
