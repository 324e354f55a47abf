// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <set>
#include <vector>

#include "base/ids.h"

namespace lockstep {

/// The ranks with the line that stands for each; a click shows or hides its curves. What does not fit is
/// counted: "+12".
class RankLegend : public QWidget {
  Q_OBJECT
 public:
  explicit RankLegend(QWidget* parent = nullptr);
  void setRanks(const std::vector<Rank>& ranks);
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
  void toggle(Rank rank);

  std::vector<Rank> ranks_;
  std::set<Rank> hidden_;
  std::size_t focused_ = 0;  // which entry the keyboard is on
};

}  // namespace lockstep
