// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/logs/log_table.h"

class QLabel;
class QToolButton;

namespace lockstep {

/// The pane below a log with all its lines that are searched for; follows by itself. A click or Enter goes to the line in
/// the log. Not there while nothing is searched for.
class LogMatches : public QWidget {
  Q_OBJECT
 public:
  /// `log` is searched; both it and its lines outlive this.
  explicit LogMatches(LogModel* log, QWidget* parent = nullptr);

  /// Searches what the log's filter lets through; nullopt: nothing is searched for.
  void search(const std::optional<TextQuery>& wanted);
  [[nodiscard]] bool isSearching() const { return isSearching_; }
  [[nodiscard]] LogModel* model() const { return model_; }
  [[nodiscard]] LogTable* table() const { return table_; }
  /// The match after `line`, or before it, going round at the end; nullopt: there is none.
  [[nodiscard]] std::optional<std::uint64_t> next(std::optional<std::uint64_t> line, bool forward) const;
  /// "3 of 120 matches", "No match", "120 matches so far"; empty: nothing is searched for. `line`: the one that is chosen.
  [[nodiscard]] QString resultText(std::optional<std::uint64_t> line) const;

 signals:
  void lineWanted(quint64 line);
  void changed();

 private:
  void arrange();

  LogModel* log_;
  LogModel* model_;
  LogTable* table_;
  QLabel* title_;
  QToolButton* follow_;
  bool isSearching_ = false;
};

}  // namespace lockstep
