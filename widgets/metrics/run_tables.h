// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTabWidget>
#include <memory>

#include "health/run_health.h"

namespace lockstep {

class HealthTable;
class PhaseModel;
class RankTable;
class ReachPanel;

/// What is known of a run's ranks and nodes, one tab each: the newest samples, what each rank does now, and
/// which node reaches which.
class RunTables : public QTabWidget {
  Q_OBJECT
 public:
  enum Tab { SamplesTab, PhasesTab, NodesTab };

  /// Takes the table of the samples.
  explicit RunTables(RankTable* samples, QWidget* parent = nullptr);

  /// Null: nothing is known yet.
  void setHealth(const std::shared_ptr<const RunHealth>& health);
  void setNow(SteadyPoint now);
  /// A run that is over holds nobody up, and its times do not go on.
  void setRunning(bool isRunning);
  /// While what ranks publish cannot be read, nothing is said of who holds the run up.
  void setReadable(bool isReadable);

  [[nodiscard]] const PhaseModel& phases() const { return *phases_; }
  [[nodiscard]] const ReachPanel& nodes() const { return *nodes_; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 100}; }

 private:
  void judge();
  void setEmptyTexts();
  void markTabs();
  void mark(Tab tab, bool isMarked, const QString& why);

  PhaseModel* phases_;
  HealthTable* phaseTable_;
  ReachPanel* nodes_;
  std::shared_ptr<const RunHealth> health_;
  SteadyPoint now_{};
  bool isRunning_ = true;
  bool isReadable_ = true;
};

}  // namespace lockstep
