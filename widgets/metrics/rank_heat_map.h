// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "metrics/grid/rank_order.h"
#include "metrics/metric_store.h"
#include "widgets/metrics/charts/chart_spec.h"
#include "widgets/metrics/rank_table_model.h"

class QComboBox;
class QLabel;
class QStackedLayout;

namespace lockstep {

class ElidedLabel;
class HeatCanvas;
class HeatLegend;

/// One quantity of all ranks over the steps as colours, with a choice of the quantity and of the order of the ranks, the scale
/// of the colours, and in words what stands out. HeatCanvas says how it is moved by mouse and keyboard. What is set while it is
/// hidden costs nothing until it shows.
class RankHeatMap : public QWidget {
  Q_OBJECT
 public:
  explicit RankHeatMap(QWidget* parent = nullptr);

  /// All samples of the run as they are now; null: there are none.
  void setMetrics(std::shared_ptr<const MetricStore> metrics);
  void setNodes(const std::vector<RankNode>& nodes);
  /// What is said where there is nothing to show.
  void setEmptyText(const QString& text);
  /// Shows the steps [from, to), as far as there are any.
  void setView(double from, double to);
  void showAll();
  /// Shows another quantity, if the run has it; with an empty name what a straggler shows first.
  void setQuantity(std::string_view name);
  [[nodiscard]] std::string quantity() const;
  void setOrder(RankOrder order);
  /// Those that the user has chosen on the page.
  void setChosenRanks(const std::set<Rank>& ranks);
  /// A line where something else on the page points.
  void setPointed(std::optional<Step> step);
  /// Computes and draws all of it now, e.g. before a picture is taken.
  void refreshNow();
  /// "64 ranks, 2,000 steps; largest: rank 17 at step 812, 120 ms".
  [[nodiscard]] QString summary() const;
  [[nodiscard]] HeatCanvas* canvas() const { return canvas_; }

 signals:
  /// The user zoomed or moved: the steps [from, to) are in view.
  void viewChanged(double from, double to);
  /// The user points at that step here, or at none any more.
  void cursorMoved(const std::optional<lockstep::ChartCursor>& cursor);
  /// The user wants to see another quantity, and does.
  void quantityChosen(const std::string& name);
  /// The user has chosen these steps, both included, and ranks.
  void brushed(lockstep::Step fromStep, lockstep::Step toStep, const std::vector<lockstep::Rank>& ranks);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  /// [from, to); absent: all.
  using Steps = std::optional<std::pair<double, double>>;

  void createControls();
  void change();
  void showSteps(const Steps& steps);
  void refresh();
  void showSource();
  void fillQuantities();
  [[nodiscard]] std::vector<OrderedRank> rows() const;

  std::shared_ptr<const MetricStore> metrics_;
  std::vector<RankNode> nodes_;
  bool isOld_ = false;          // something was set and is not yet shown
  std::optional<Steps> asked_;  // meanwhile to be in view; absent: nobody has asked
  QComboBox* quantity_;
  QComboBox* order_;
  HeatLegend* legend_;
  HeatCanvas* canvas_;
  QLabel* hint_;
  ElidedLabel* summary_;
  QStackedLayout* stack_ = nullptr;
};

}  // namespace lockstep
