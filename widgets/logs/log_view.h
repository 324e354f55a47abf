// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/common/layout/filling.h"
#include "widgets/logs/filters/log_highlighters.h"
#include "widgets/logs/log_extract.h"
#include "widgets/logs/log_searcher.h"

class QSplitter;
class QToolButton;

namespace lockstep {

class LogFilterBar;
class LogFindBar;
class LogGoBar;
class LogLines;
class LogMatches;
class LogModel;
class LogNavigation;
class LogStatus;
class LogTable;

/// The log pane of a run: lines of all nodes in time order, with follow, filters, a pane of matches, marks, words in colours
/// and an overview. The text stays on the disk: lines are read as they come in sight (LogLines), and searched by LogSearchers.
/// UI thread.
class LogView : public QWidget {
  Q_OBJECT
 public:
  explicit LogView(QWidget* parent = nullptr);
  ~LogView() override;

  /// Shows a newer snapshot of the log, or the first one of another after clear(). What is read stays in sight, marked and
  /// selected. Null changes nothing.
  void setLog(std::shared_ptr<const LogSnapshot> log);
  void clear();
  /// Who searches for the log and for the pane of matches; without it that is done in slices in the UI thread.
  void setSearchers(const MakeLogSearcher& make);
  /// Ranks that the run has, also before their first line.
  void setRanks(const std::vector<Rank>& ranks);
  void showOnlyRank(Rank rank) { showOnlyRanks({rank}); }
  void showOnlyRanks(const std::vector<Rank>& ranks);  // none: all
  /// Lines of these times only, both included; nullopt: of all times.
  void setTimeWindow(std::optional<std::pair<TimePoint, TimePoint>> window);
  /// Nothing later than this is shown, as if the log ended there; nullopt: it goes on. Costs what lies between the last end
  /// and this one.
  void setEnd(std::optional<TimePoint> end);
  /// Where the cursor that all charts share is: its line, the last one that is not later, is underlined and in sight.
  void setCursorTime(std::optional<TimePoint> time);
  /// The last error that this rank (nothing: any) wrote, or its last line where none is an error, selected and in sight;
  /// once it is found.
  void showLastError(std::optional<Rank> rank);
  /// What an empty log says.
  void setFilling(Filling filling);
  /// Lines that are older than those that are here are still on their way.
  void setReadingPast(bool isReading);
  /// Lines are kept on this machine, and the service has the oldest of them until then; nullopt: that is not known.
  void setRetention(std::optional<TimePoint> serviceHasUntil);
  /// The same, of whatever line is the oldest one: so long the service has a line. Until clear().
  void setRetention(std::chrono::days serviceKeeps);

  [[nodiscard]] LogModel* model() const { return model_; }
  [[nodiscard]] LogTable* table() const { return table_; }
  [[nodiscard]] LogMatches* matches() const { return matches_; }

  /// Filters, words in colours and options, not the lines.
  [[nodiscard]] QByteArray saveState() const;
  void restoreState(const QByteArray& state);

 public slots:
  void openFind();
  void findNext();
  void findPrevious();

 signals:
  /// The user wants lines in a file. Whoever may do I/O writes it.
  void saveRequested(const lockstep::LogExtract& lines);
  /// The user shows the lines of these times only, both included; without both: of all.
  void timesChosen(std::optional<lockstep::TimePoint> from, std::optional<lockstep::TimePoint> until);
  /// The user shows the lines of these ranks only; none: of all.
  void ranksChosen(const std::vector<lockstep::Rank>& ranks);
  /// A click or Enter on a line.
  void lineActivated(lockstep::TimePoint time, std::optional<lockstep::Rank> rank);

 private:
  void createActions();
  void createTools();
  void connectParts();
  void arrange();
  void applyFilter();
  void applySearch();
  void applyHighlights();
  void find(bool forward);
  void goToFound();
  void goToLastError();
  void updateCounts();
  void updateRanks();
  void updateTimes();
  void activate(int row);
  void openGo();
  void editHighlighters();
  void colorWord(int number);
  void setFolding(bool isOn);
  [[nodiscard]] LogExtract allLines() const;

  LogLines* lines_;
  LogModel* model_;
  LogTable* table_;
  LogMatches* matches_;
  LogNavigation* navigation_;
  LogFilterBar* filter_;
  LogFindBar* findBar_;
  LogGoBar* goBar_;
  LogStatus* status_;
  QSplitter* panes_;
  QToolButton* follow_;
  QToolButton* fold_;
  QToolButton* colors_;
  QToolButton* save_;
  LogHighlighters highlighters_;
  std::vector<Rank> knownRanks_;
  Filling filling_ = Filling::Live;
  bool isReadingPast_ = false;
  std::optional<bool> wantedMatch_;  // once one is known: the next one (true) or the one before
  bool isErrorWanted_ = false;       // likewise the last error
  std::optional<std::chrono::days> serviceKeeps_;
};

}  // namespace lockstep
