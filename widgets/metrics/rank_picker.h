// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLineEdit>
#include <set>

#include "base/ids.h"

namespace lockstep {

/// Which of many ranks have a curve of their own: a list such as "0-3, 17". What is no such list is said beside it and
/// changes nothing.
class RankPicker : public QLineEdit {
  Q_OBJECT
 public:
  explicit RankPicker(QWidget* parent = nullptr);

  /// There are ranks 0 to `end` - 1.
  void setEnd(int end);
  [[nodiscard]] const std::set<Rank>& chosen() const { return chosen_; }

  [[nodiscard]] QSize sizeHint() const override;

 signals:
  void chosenChanged();

 private:
  void read();
  void showMistake(const QString& mistake);

  int end_ = 0;
  std::set<Rank> chosen_;
};

}  // namespace lockstep
