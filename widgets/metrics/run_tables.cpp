// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/run_tables.h"

#include <QSignalBlocker>

#include <QHeaderView>
#include <QTabBar>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/health/health_table.h"
#include "widgets/health/phase_model.h"
#include "widgets/health/reach_model.h"
#include "widgets/health/reach_panel.h"
#include "widgets/metrics/rank_heat_map.h"
#include "widgets/metrics/rank_table.h"
#include "widgets/metrics/step_time_stack.h"

namespace lockstep {

RunTables::RunTables(RankTable* samples, QWidget* parent)
    : QTabWidget(parent),
      phases_(new PhaseModel(this)),
      nodes_(new ReachPanel(this)),
      heatMap_(new RankHeatMap(this)),
      stepTimes_(new StepTimeStack(this)) {
  phaseTable_ = new HealthTable(phases_, tr("What each rank does now"), this);
  phaseTable_->setSelectionBehavior(QAbstractItemView::SelectRows);
  phaseTable_->horizontalHeader()->setStretchLastSection(true);
  setDocumentMode(true);
  setObjectName(QStringLiteral("runTables"));
  addTab(samples, tr("Samples"));
  addTab(phaseTable_, tr("Phases"));
  addTab(nodes_, tr("Nodes"));
  addTab(heatMap_, tr("Heat map"));
  addTab(stepTimes_, tr("Step time"));
  // The bars are of the steps that the colors show.
  connect(this, &QTabWidget::currentChanged, this, [this] { updateGeometry(); });
  connect(heatMap_, &RankHeatMap::viewChanged, stepTimes_, &StepTimeStack::setView);
  tabBar()->setAccessibleName(tr("What is known of ranks and nodes"));
  tabBar()->setIconSize(QSize(16, 16));
  setEmptyTexts();
  markTabs();
}

void RunTables::setMetrics(const std::shared_ptr<const MetricStore>& metrics) {
  heatMap_->setMetrics(metrics);
  stepTimes_->setMetrics(metrics);
}

void RunTables::setNodes(const std::vector<RankNode>& nodes) {
  heatMap_->setNodes(nodes);
  stepTimes_->setNodes(nodes);
}

void RunTables::setChosenRanks(const std::set<Rank>& ranks) {
  heatMap_->setChosenRanks(ranks);
  stepTimes_->setChosenRanks(ranks);
}

void RunTables::setSteps(std::optional<std::pair<double, double>> steps) {
  const QSignalBlocker said(heatMap_);  // who says it knows it
  if (steps) {
    heatMap_->setView(steps->first, steps->second);
    stepTimes_->setView(steps->first, steps->second);
  } else {
    heatMap_->showAll();
    stepTimes_->showAll();
  }
}

QSize RunTables::minimumSizeHint() const {
  const bool isPicture = currentIndex() == HeatMapTab || currentIndex() == StepTimeTab;
  return {200, isPicture ? 14 * fontMetrics().height() : 100};
}

void RunTables::setEmptyText(const QString& text) {
  heatMap_->setEmptyText(text);
  stepTimes_->setEmptyText(text);
}

void RunTables::setHealth(const std::shared_ptr<const RunHealth>& health) {
  health_ = health;
  showHealth();
}

void RunTables::setPast(bool isPast) {
  if (std::exchange(isPast_, isPast) != isPast) showHealth();
}

void RunTables::showHealth() {
  const auto shown = isPast_ ? nullptr : health_;
  phases_->setHealth(shown);
  phaseTable_->fitColumns();
  nodes_->setHealth(shown);
  setEmptyTexts();
  markTabs();
}

void RunTables::setNow(SteadyPoint now) {
  now_ = now;
  evaluate();
  phaseTable_->fitColumns();
  markTabs();
}

void RunTables::setRunning(bool isRunning) {
  if (isRunning == isRunning_) return;
  isRunning_ = isRunning;
  evaluate();
  setEmptyTexts();
  markTabs();
}

void RunTables::setReadable(bool isReadable) {
  if (isReadable == isReadable_) return;
  isReadable_ = isReadable;
  evaluate();
  markTabs();
}

void RunTables::evaluate() {
  const auto news = !isRunning_   ? PhaseModel::News::Ended
                    : isReadable_ ? PhaseModel::News::Live
                                  : PhaseModel::News::Unreadable;
  phases_->setNow(now_, news);
}

void RunTables::setEmptyTexts() {
  const QString waiting = tr("Nothing has been looked at yet.");
  const QString phases =
      isRunning_
          ? tr("This run publishes no phases so far: lockstep-trainer does, once its ranks have joined.")
          : tr("This run published no phases: lockstep-trainer does, other training scripts do not.");
  const QString nodes =
      isRunning_
          ? tr("This run publishes no test of the network so far: lockstep-node does, before the ranks of "
               "two nodes or more are started.")
          : tr("This run published no test of the network: lockstep-node does, where a run has two nodes or "
               "more.");
  const QString past =
      tr("This is not recorded: it is known of now alone, and not of the time that is shown.");
  phaseTable_->setEmptyText(isPast_ ? past : health_ ? phases : waiting);
  nodes_->setEmptyText(isPast_ ? past : health_ ? nodes : waiting);
}

void RunTables::markTabs() {
  const auto gaps = nodes_->model().matrix().gaps().size();
  mark(PhasesTab, !phases_->stalls().empty(), tr("something holds the run up"));
  mark(NodesTab, gaps > 0, tr("some nodes do not reach each other"));
}

// Told by an icon, and in words to who cannot see it.
void RunTables::mark(Tab tab, bool isMarked, const QString& why) {
  if (isMarked == !tabToolTip(tab).isEmpty()) return;
  setTabIcon(tab, isMarked ? iconFor(BadgeTone::Warning) : QIcon());
  setTabToolTip(tab, isMarked ? plainToolTip(why) : QString());
  tabBar()->setAccessibleTabName(tab, isMarked ? tr("%1: %2").arg(tabText(tab), why) : QString());
}

}  // namespace lockstep
