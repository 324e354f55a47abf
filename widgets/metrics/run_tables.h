// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTabWidget>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "health/run_health.h"
#include "metrics/metric_store.h"

namespace lockstep {

class HealthTable;
class PhaseModel;
class RankHeatMap;
class RankTable;
class ReachPanel;
class StepTimeStack;
struct RankNode;

/// What is known of a run's ranks and nodes, one tab each: the newest samples, what each rank does now, which node reaches
/// which, one quantity of all ranks over the steps, and what their steps are made of.
class RunTables : public QTabWidget {
  Q_OBJECT
 public:
  enum Tab { SamplesTab, PhasesTab, NodesTab, HeatMapTab, StepTimeTab };

  /// Takes the table of the samples.
  explicit RunTables(RankTable* samples, QWidget* parent = nullptr);

  /// All samples as they are now, for the heat map and the step times; null: there are none.
  void setMetrics(const std::shared_ptr<const MetricStore>& metrics);
  void setNodes(const std::vector<RankNode>& nodes);
  /// Those that the user has chosen on the page, for both.
  void setChosenRanks(const std::set<Rank>& ranks);
  /// The steps that both have in view; absent: all.
  void setSteps(std::optional<std::pair<double, double>> steps);
  /// What the two say while there are no samples.
  void setEmptyText(const QString& text);
  /// Null: nothing is known yet.
  void setHealth(const std::shared_ptr<const RunHealth>& health);
  /// What is shown is the run as it was: of health nothing is known but what it is now, so none is shown.
  void setPast(bool isPast);
  void setNow(SteadyPoint now);
  /// A run that is over holds nobody up, and its times do not go on.
  void setRunning(bool isRunning);
  /// While what ranks publish cannot be read, nothing is said of who holds the run up.
  void setReadable(bool isReadable);

  [[nodiscard]] const PhaseModel& phases() const { return *phases_; }
  [[nodiscard]] const ReachPanel& nodes() const { return *nodes_; }
  [[nodiscard]] RankHeatMap* heatMap() const { return heatMap_; }
  [[nodiscard]] StepTimeStack* stepTimes() const { return stepTimes_; }
  /// A picture of all ranks needs more room than a table.
  [[nodiscard]] QSize minimumSizeHint() const override;

 private:
  void showHealth();
  void evaluate();
  void setEmptyTexts();
  void markTabs();
  void mark(Tab tab, bool isMarked, const QString& why);

  PhaseModel* phases_;
  HealthTable* phaseTable_;
  ReachPanel* nodes_;
  RankHeatMap* heatMap_;
  StepTimeStack* stepTimes_;
  std::shared_ptr<const RunHealth> health_;
  SteadyPoint now_{};
  bool isPast_ = false;
  bool isRunning_ = true;
  bool isReadable_ = true;
};

}  // namespace lockstep
