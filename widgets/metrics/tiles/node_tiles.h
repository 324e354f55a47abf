// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "widgets/metrics/rank_views/rank_node.h"
#include "widgets/metrics/tiles/sparkline.h"
#include "widgets/metrics/tiles/tile_view.h"

namespace lockstep {

/// A tile for each node (processors, memory, network, disk) and behind it one for the GPU of each of its ranks, with the
/// newest values and their course over the steps in view. GPUs of runs that have measured none are left out. Activating a
/// tile asks for its ranks.
class NodeTiles : public TileView {
  Q_OBJECT
 public:
  explicit NodeTiles(QWidget* parent = nullptr);

  /// Null: there are none. What is shown is renewed at most twice a second.
  void setMetrics(std::shared_ptr<const MetricStore> metrics);
  void setNodes(const std::vector<RankNode>& nodes);
  /// Those that the user has chosen on the page: their tiles have a bar at the left edge.
  void setChosenRanks(const std::set<Rank>& ranks);
  void setSteps(const TileSteps& steps);

  [[nodiscard]] int tileCount() const override { return static_cast<int>(tiles_.size()); }
  [[nodiscard]] QString tileText(int tile) const override;

 signals:
  void ranksActivated(const std::vector<lockstep::Rank>& ranks);

 protected:
  [[nodiscard]] QSize tileSize() const override;
  void computeTile(int tile, int width) override;
  void paintTile(QPainter& painter, const QRect& area, int tile) override;

 private:
  struct Tile {
    QString title;
    std::vector<Rank> ranks;
    bool isGpu = false;
  };
  struct Row {
    std::string_view name;
    Sparkline line;
  };
  void scheduleTiles();
  void makeTiles();
  [[nodiscard]] int valueWidth() const;
  [[nodiscard]] int titleWidthIn(bool isGpu, int width) const;

  std::shared_ptr<const MetricStore> metrics_;
  std::vector<RankNode> nodes_;
  std::set<Rank> chosen_;
  TileSteps steps_;
  std::vector<Tile> tiles_;
  std::map<int, std::vector<Row>> rows_;  // of tiles that were computed
  QTimer* soon_;
};

}  // namespace lockstep
