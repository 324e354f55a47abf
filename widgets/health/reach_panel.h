// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QScrollArea>
#include <memory>
#include <string>
#include <vector>

#include "health/run_health.h"

class QLabel;
class QVBoxLayout;

namespace lockstep {

class HealthTable;
class ReachModel;

/// Which node reaches which, as a table of all pairs, and under it why not and what to do about it. The panel
/// scrolls; the table is as tall as its rows.
class ReachPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit ReachPanel(QWidget* parent = nullptr);
  /// Null: nothing is known.
  void setHealth(const std::shared_ptr<const RunHealth>& health);
  /// What is said while there is nothing to show.
  void setEmptyText(const QString& text);
  [[nodiscard]] const ReachModel& model() const { return *model_; }

 private:
  void showCards(const std::vector<Error>& unreadable);
  void showParts();
  void fitTable();

  ReachModel* model_;
  HealthTable* table_;
  QLabel* empty_;
  QWidget* cards_;
  QVBoxLayout* column_;
  std::vector<NodeFindings> shown_;
  std::string shownTroubles_;
};

}  // namespace lockstep
