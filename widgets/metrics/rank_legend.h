// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <map>
#include <set>
#include <vector>

#include "timeline/stale_ranks.h"

namespace lockstep {

/// The ranks with the line that stands for each; a click shows or hides its curves. What does not fit is
/// counted: "+12".
class RankLegend : public QWidget {
  Q_OBJECT
 public:
  explicit RankLegend(QWidget* parent = nullptr);
  void setRanks(const std::vector<Rank>& ranks);
  /// Of which ranks nothing comes any more while others go on: they fade, and say for how long.
  void setStale(const std::vector<StaleRank>& stale);
  [[nodiscard]] const std::set<Rank>& hiddenRanks() const { return hidden_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void hiddenRanksChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Entry {
    Rank rank;
    QRect place;
  };
  [[nodiscard]] std::vector<Entry> layoutEntries() const;
  [[nodiscard]] int entryWidth(Rank rank) const;
  [[nodiscard]] QString nameOf(Rank rank) const;
  [[nodiscard]] QString toolTipOf(Rank rank) const;
  void describe();
  void toggle(Rank rank);

  std::vector<Rank> ranks_;
  std::set<Rank> hidden_;
  std::map<Rank, QString> silentFor_;  // "40 s", of those that are stale
  std::map<Rank, StaleRank> stale_;
  std::size_t focused_ = 0;  // which entry the keyboard is on
};

}  // namespace lockstep
