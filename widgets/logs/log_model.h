// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QDateTime>
#include <QTimer>
#include <chrono>

#include "widgets/logs/log_rows.h"

namespace lockstep {

/// The lines of a run that a filter lets through, in time order; of those that belong together (a traceback, the updates
/// of a progress bar) one stands for all until it is unfolded. Rows are made as they are asked for; lines that come late
/// are inserted where they belong. A filter over a long log is applied in slices, newest lines first, between which the
/// window goes on. UI thread.
class LogModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { TimeColumn, RankColumn, NodeColumn, TextColumn, ColumnCount };
  enum Role {
    RankRole = Qt::UserRole,  // int, -1: no rank
    LevelRole,                // int(LogLevel)
    MarkRole,                 // bool
    FoldRole,                 // int(Fold)
    CountRole,                // int: lines that a row stands for beside its own
    RawRole                   // QByteArray: the text to draw, colours and all
  };
  enum class Fold {
    None,
    Folded,
    Unfolded,
    Inner
  };  // Unfolded: the first of lines that can be folded; Inner: another one

  /// `lines` has to outlive the model.
  explicit LogModel(LogLines* lines, QObject* parent = nullptr);

  void setFilter(LogFilter filter);
  [[nodiscard]] const LogFilter& filter() const { return filter_; }
  /// Lines later than this are not shown; nullopt: all are.
  void setEnd(std::optional<TimePoint> end);
  void setFolding(bool isOn);
  [[nodiscard]] bool isFolding() const { return rows_.isFolding(); }
  /// How long one slice may take, of 8 ms by itself.
  void setSliceTime(std::chrono::nanoseconds time) { sliceTime_ = time; }

  [[nodiscard]] LogLines* lines() const { return lines_; }
  [[nodiscard]] const LogBook& book() const { return lines_->book(); }
  /// Older lines that are no longer kept here.
  [[nodiscard]] std::size_t droppedCount() const { return book().dropped(); }
  /// Lines that the filter lets through, folded or not.
  [[nodiscard]] const LineList& accepted() const { return rows_.accepted(); }
  [[nodiscard]] const LineList& errors() const { return rows_.errors(); }
  [[nodiscard]] const LineList& warnings() const { return rows_.warnings(); }
  /// Lines up to the end that was set, and how many of them the filter hides.
  [[nodiscard]] std::size_t lineCount() const { return rows_.lineCount(); }
  [[nodiscard]] std::size_t hiddenCount() const { return lineCount() - accepted().size(); }
  [[nodiscard]] bool isScanning() const { return rows_.isScanning(); }
  [[nodiscard]] double scanned() const { return rows_.scanned(); }

  [[nodiscard]] LogLineView lineAt(int row) const;
  /// The line for the clipboard: time, rank, node, text as shown; or its text alone as it came.
  [[nodiscard]] QString copyText(int row) const;
  [[nodiscard]] QString rawText(int row) const;
  /// Where a line is shown, or the first row after it: of one that is folded, the row after the one that stands for it.
  [[nodiscard]] int rowOfLine(std::size_t line) const;
  [[nodiscard]] std::size_t lineOfRow(int row) const { return shown_[static_cast<std::size_t>(row)]; }
  /// The row of a line, unfolding what it is folded into; -1: the filter does not let it through.
  int reveal(std::size_t line);
  /// The last row that is not later; -1: all are.
  [[nodiscard]] int rowAtTime(TimePoint time) const;
  /// Folds or unfolds what the row belongs to. The row of its first line then; -1: it belongs to nothing.
  int setUnfolded(int row, bool on);
  /// Characters of the longest line that is or was shown.
  [[nodiscard]] int longestText() const { return rows_.longestText(); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
  /// A slice of a long log was looked at; isScanning() says whether more are to come.
  void scanAdvanced();

 private:
  void onAdded(const std::vector<std::size_t>& places);
  void scanOn();
  void sync();
  void replaceTail(const LogRows::Tail& tail);
  /// How many runs of rows would go or come.
  [[nodiscard]] int groupsFrom(std::size_t at, const LogRows::Tail& tail, std::size_t next) const;
  void removeWhile(std::size_t at, const LogRows::Tail& tail, std::size_t next);
  std::size_t insertWhile(std::size_t at, const LogRows::Tail& tail, std::size_t next);
  void onMarksChanged();
  [[nodiscard]] Fold foldOf(LineList::Line line) const;
  [[nodiscard]] int countOf(LineList::Line line) const;
  [[nodiscard]] std::string drawnText(LineList::Line line) const;
  [[nodiscard]] QVariant display(int column, LineList::Line at) const;
  [[nodiscard]] QString accessibleText(int column, LineList::Line at) const;

  LogLines* lines_;
  LogFilter filter_;
  LogRows rows_;
  LineList shown_;
  QTimer slices_;
  std::chrono::nanoseconds sliceTime_ = std::chrono::milliseconds(8);
  int dropping_ = 0;  // rows
};

}  // namespace lockstep
