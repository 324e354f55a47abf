// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>
#include <vector>

namespace lockstep {

/// What hides lines now, one chip for each, which takes it away. Not there while nothing hides any.
class LogFilterChips : public QWidget {
  Q_OBJECT
 public:
  struct Chip {
    QString name;  // of the button
    QString text;  // what is shown, plain
    std::function<void()> remove;
  };

  explicit LogFilterChips(QWidget* parent = nullptr);
  void setChips(const std::vector<Chip>& chips);

 signals:
  void clearRequested();

 private:
  void addChip(const Chip& chip);
};

}  // namespace lockstep
