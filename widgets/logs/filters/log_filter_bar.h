// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QWidget>
#include <vector>

#include "logs/search/log_search.h"
#include "widgets/logs/filters/log_filter_chips.h"
#include "widgets/logs/filters/log_rank_menu.h"
#include "widgets/logs/filters/log_search_field.h"
#include "widgets/logs/filters/log_time_menu.h"

class QComboBox;

namespace lockstep {

/// Chooses which lines are shown: by rank and node, by level, by time, by text or regular expression. What hides lines is
/// also told as chips, for which whoever arranges the page finds room.
class LogFilterBar : public QWidget {
  Q_OBJECT
 public:
  explicit LogFilterBar(QWidget* parent = nullptr);

  /// Those whose lines are shown; none: of all, and of node agents.
  [[nodiscard]] std::vector<Rank> shownRanks() const;
  /// What there is to choose from. Choices made stay.
  void setRanks(const std::vector<Rank>& ranks);
  void setNodes(const std::vector<std::string>& nodes);
  void showOnlyRanks(const std::vector<Rank>& ranks);  // none: all
  void setTimes(const LogTimeMenu::Times& times);
  [[nodiscard]] LogQuery filter() const;
  /// The text has an expression that takes too long on some lines.
  void showTooHard(const Error& why);
  /// What is wrong with the text; empty: nothing. The last good one stays in force meanwhile.
  [[nodiscard]] QString expressionError() const;
  [[nodiscard]] LogTimeMenu* timeMenu() const { return times_; }
  [[nodiscard]] LogFilterChips* chips() const { return chips_; }

  [[nodiscard]] QByteArray saveState() const;
  void restoreState(const QByteArray& state);

 public slots:
  void showAll();
  void focusText();

 signals:
  void filterChanged();
  /// The user has chosen other times, or none.
  void timesChosen();
  /// Likewise of ranks.
  void ranksChosen();

 private:
  void createFields();
  void change();
  [[nodiscard]] std::vector<LogFilterChips::Chip> currentChips();

  LogRankMenu* ranks_;
  QComboBox* level_;
  LogTimeMenu* times_;
  LogSearchField* text_;
  LogFilterChips* chips_;
};

}  // namespace lockstep
