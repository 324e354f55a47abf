// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <memory>
#include <set>
#include <vector>

#include "metrics/metric_store.h"
#include "timeline/stale_ranks.h"
#include "widgets/metrics/rank_views/rank_node.h"

class QToolButton;

namespace lockstep {

class CurveButton;
class LayoutBar;
class LayoutList;
class LineRulesButton;
class RankLegend;
class RankMenu;
class RankPicker;
class ToolRow;

/// The line above the cards: their layout, which ranks have a curve, how curves are drawn, where one was before, and how old
/// the data are.
class DashboardTools : public QWidget {
  Q_OBJECT
 public:
  explicit DashboardTools(LayoutList* layouts, QWidget* parent = nullptr);

  void setRanks(const std::vector<Rank>& ranks);
  void setNodes(const std::vector<RankNode>& nodes);
  void setSamples(const std::shared_ptr<const MetricStore>& samples);
  void clearRanks();
  /// Those that are to have a curve beside a band; too many change nothing.
  void chooseRanks(const std::vector<Rank>& ranks);
  /// That one, too; or without it, if it is chosen.
  void toggleRank(Rank rank);
  /// Of which ranks nothing comes any more.
  void setStale(const std::vector<StaleRank>& stale);
  [[nodiscard]] const std::set<Rank>& hiddenRanks() const;
  [[nodiscard]] const std::set<Rank>& chosenRanks() const;

  /// What there is to go to.
  void setHistory(bool hasBack, bool hasForward, bool showsAll);
  [[nodiscard]] CurveButton* curves() const { return curves_; }
  [[nodiscard]] LineRulesButton* lineRules() const { return lineRules_; }
  /// Whether samples of this run are read from its lines at all; at first they are not.
  void setReadsLines(bool readsLines);

 signals:
  void addRequested();
  void ranksChanged();
  void backRequested();
  void forwardRequested();
  void allRequested();

 private:
  void createRanks();
  void createHistory();
  [[nodiscard]] QToolButton* makeButton(const char* name, const char* icon, const QString& text,
                                        const QString& toolTip);

  ToolRow* row_;
  LayoutBar* layouts_;
  RankLegend* legend_;
  QWidget* choice_;  // instead of it where there are too many
  RankPicker* picker_;
  RankMenu* menu_;
  CurveButton* curves_;
  LineRulesButton* lineRules_;
  QToolButton* back_;
  QToolButton* forward_;
  QToolButton* showAll_;
};

}  // namespace lockstep
