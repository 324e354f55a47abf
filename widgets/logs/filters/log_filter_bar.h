// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QWidget>
#include <vector>

#include "logs/log_filter.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;

namespace lockstep {

/// Chooses which lines are shown: by rank, by level, by text or regular expression.
class LogFilterBar : public QWidget {
  Q_OBJECT
 public:
  explicit LogFilterBar(QWidget* parent = nullptr);

  /// The ranks to choose from. Choices made stay.
  void setRanks(const std::vector<Rank>& ranks);
  void showOnlyRank(Rank rank);
  [[nodiscard]] LogFilter filter() const;
  /// What is wrong with the regular expression; empty: nothing. The last good one stays in force meanwhile.
  [[nodiscard]] QString expressionError() const;

  [[nodiscard]] QByteArray saveState() const;
  void restoreState(const QByteArray& state);

 public slots:
  void showAll();

 signals:
  void filterChanged();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void createFields();
  void arrange();
  QAction* addOption(const QString& text, const QString& toolTip);
  void rebuildRankMenu();
  void updateRankButton();
  void onTextChanged();
  void compile();
  void showError(const QString& error);

  QPushButton* rankButton_ = nullptr;
  QMenu* rankMenu_ = nullptr;
  QComboBox* level_ = nullptr;
  QLineEdit* text_ = nullptr;
  QAction* regex_ = nullptr;
  QAction* caseSensitive_ = nullptr;
  QLabel* error_ = nullptr;
  std::vector<Rank> ranks_;
  std::vector<std::optional<Rank>> chosen_;  // empty: all
  TextMatcher matcher_;
};

}  // namespace lockstep
