// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <string>
#include <vector>

#include "setup/step/applied_change.h"

class QLabel;
class QScrollArea;

namespace lockstep {

/// Everything that fixes have changed or created, the newest first, each with "Take back". Taking back wants
/// a second, different click.
class ChangesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ChangesPanel(QWidget* parent = nullptr);

  void setChanges(const std::vector<AppliedChange>& changes);
  /// The change is being taken back; empty: none is.
  void setTakingBack(const std::string& changeId);
  /// Those that are still in place.
  [[nodiscard]] int standingCount() const;

 signals:
  void takeBackRequested(const std::string& changeId);

 private:
  void rebuild();
  QWidget* makeCard(const AppliedChange& change);
  QWidget* makeButtons(const AppliedChange& change, QWidget* parent);

  QLabel* empty_;
  QScrollArea* scroll_;
  std::vector<AppliedChange> changes_;
  std::string asked_, takingBack_;
};

}  // namespace lockstep
