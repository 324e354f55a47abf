// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <span>

#include "setup/step/setup_step.h"

class QVBoxLayout;

namespace lockstep {

/// Findings below each other, in their order. Of many with one code (each policy statement that is missing,
/// each closed port) the first few are shown, and the others where the user asks: what can be done about all
/// of them stays in sight.
class FindingList : public QWidget {
  Q_OBJECT
 public:
  explicit FindingList(std::span<const Finding> findings, QWidget* parent = nullptr);

 signals:
  /// What was folded is shown, or the other way round: the height has changed.
  void folded();

 private:
  void addRun(std::span<const Finding> run);
  void addFold(std::span<const Finding> findings);

  QVBoxLayout* column_ = nullptr;
};

}  // namespace lockstep
