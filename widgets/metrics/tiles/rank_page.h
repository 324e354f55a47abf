// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/metrics/rank_views/rank_node.h"
#include "widgets/metrics/tiles/sparkline.h"

class QLabel;
class QToolButton;

namespace lockstep {

class ElidedLabel;
class RankTiles;

/// All of one rank: every quantity of the run in a small chart, over the median of all ranks. Escape goes back.
class RankPage : public QWidget {
  Q_OBJECT
 public:
  explicit RankPage(QWidget* parent = nullptr);

  void setRank(Rank rank);
  [[nodiscard]] Rank rank() const { return rank_; }
  void setMetrics(const std::shared_ptr<const MetricStore>& metrics);
  void setNodes(const std::vector<RankNode>& nodes);
  void setSteps(const TileSteps& steps);
  void refreshNow();

  [[nodiscard]] RankTiles* tiles() const { return tiles_; }

 signals:
  void backRequested();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showTitle();

  Rank rank_{0};
  std::vector<RankNode> nodes_;
  QToolButton* back_;
  QLabel* title_;
  ElidedLabel* node_;
  QToolButton* before_;
  QToolButton* next_;
  RankTiles* tiles_;
  std::vector<Rank> ranks_;  // that have samples
};

}  // namespace lockstep
