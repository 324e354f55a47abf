// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QDateTime>
#include <QTimer>
#include <memory>

#include "widgets/logs/log_extract.h"
#include "widgets/logs/log_rows.h"
#include "widgets/logs/log_searcher.h"

namespace lockstep {

/// The lines of a run that a filter lets through, in time order; of those that belong together (a traceback, the updates
/// of a progress bar) one stands for all until it is unfolded. Lines are read as they are asked for; those that come late
/// are inserted where they belong. A LogSearcher finds what the filter lets through, newest lines first, while the window
/// goes on; of an unfiltered log it finds errors and warnings. Folding goes on in slices. UI thread.
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

  /// `lines` has to outlive the model. Begins with a SlicedLogSearcher.
  explicit LogModel(LogLines* lines, QObject* parent = nullptr);
  ~LogModel() override;

  /// Takes over what the one before was searching for.
  void setSearcher(std::unique_ptr<LogSearcher> searcher);
  void setFilter(LogQuery filter);
  /// Until another filter is set.
  void showNothing();
  /// nullopt: nothing is shown.
  [[nodiscard]] const std::optional<LogQuery>& filter() const { return rows_.filter(); }
  /// Lines later than this are not shown; nullopt: all are.
  void setEnd(std::optional<TimePoint> end);
  void setFolding(bool isOn);
  [[nodiscard]] bool isFolding() const { return rows_.isFolding(); }
  /// Of more lines the newest ones are shown; LogRows::kMaxRows by itself.
  void setMostRows(std::uint64_t rows);

  [[nodiscard]] LogLines* lines() const { return lines_; }
  /// Lines that the filter lets through, folded or not.
  [[nodiscard]] const LineSet& accepted() const { return rows_.accepted(); }
  [[nodiscard]] const LineSet& errors() const { return rows_.errors(); }
  [[nodiscard]] const LineSet& warnings() const { return rows_.warnings(); }
  /// Lines up to the end that was set, and how many of them the filter hides.
  [[nodiscard]] std::uint64_t lineCount() const { return rows_.lineCount(); }
  [[nodiscard]] std::uint64_t hiddenCount() const { return lineCount() - accepted().size(); }
  /// Lines that the filter lets through and that are too many to be shown, the oldest ones.
  [[nodiscard]] std::uint64_t cutCount() const { return rows_.cut(); }
  [[nodiscard]] bool isScanning() const { return rows_.isScanning(); }
  /// Of very many lines the newest ones have rows at once, and the others in the next turns of the event loop.
  void setMostAtOnce(std::uint64_t rows) { mostAtOnce_ = rows; }
  [[nodiscard]] bool isFilling() const { return !later_.empty(); }
  [[nodiscard]] double scanned() const { return rows_.scanned(); }
  /// Of the lines from here on, all that the filter lets through and all errors and warnings are known.
  [[nodiscard]] std::uint64_t knownFrom() const {
    return rows_.unsearched().empty() ? 0 : rows_.unsearched().back().end;
  }
  /// What is shown, for a file.
  [[nodiscard]] LogExtract extract() const { return {lines_->log(), shown_}; }

  /// Valid until something else of the log is asked for.
  [[nodiscard]] LogLineView lineAt(int row) const;
  /// The line for the clipboard: time, rank, node, text as shown; or its text alone as it came.
  [[nodiscard]] QString copyText(int row) const;
  [[nodiscard]] QString rawText(int row) const;
  /// Where a line is shown, or the first row after it: of one that is folded, the row after the one that stands for it.
  [[nodiscard]] int rowOfLine(std::uint64_t line) const;
  [[nodiscard]] std::uint64_t lineOfRow(int row) const { return shown_.at(static_cast<std::uint64_t>(row)); }
  /// The row of a line, unfolding what it is folded into; -1: it is not shown.
  int reveal(std::uint64_t line);
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
  /// More of a long log was looked at; isScanning() says whether more is to come.
  void scanAdvanced();
  /// The filter has an expression that takes too long on some lines, which are not found.
  void tooHard(const lockstep::Error& why);
  /// Many rows go and come back in other places, around what the reader looks at.
  void aboutToRewrite();
  void rewritten();

 private:
  void connectLines();
  void begin(std::optional<LogQuery> filter);
  void startSearch();
  void onFound(const std::shared_ptr<const LogSnapshot>& log, const RangesFound& what);
  void put(const SearchedLines& lines, const std::vector<SameLines>* same);
  void beforeChange(const LogChange& change);
  void onChange(const LogChange& change);
  void sync();
  void fillOn();
  void syncRange(const LineRange& range);
  LineRange keepForLater(const LineRange& range, const LineSet& rows);
  void rewrite(const LineRange& range, const LineSet& rows);
  void removeRange(const LineRange& range);
  void insertRange(const LineRange& range, const LineSet& rows);
  void tellChanged(const LineRange& range);
  void onMarksChanged();
  [[nodiscard]] Fold foldOf(std::uint64_t line) const;
  [[nodiscard]] int countOf(std::uint64_t line) const;
  [[nodiscard]] std::string drawnText(std::uint64_t line) const;
  [[nodiscard]] QVariant display(int column, std::uint64_t line) const;
  [[nodiscard]] QString accessibleText(int column, std::uint64_t line) const;

  LogLines* lines_;
  std::unique_ptr<LogSearcher> searcher_;
  LogRows rows_;
  LineSet shown_;
  std::uint64_t mostAtOnce_ = 500'000;
  std::vector<LineRange> later_;  // rows are still to be put there
  QTimer slices_;                 // of that, and of folding
  bool isResetting_ = false;
  bool isSearching_ = false;
  bool isBehind_ = false;  // what is being searched is not the newest snapshot
};

}  // namespace lockstep
