// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "widgets/metrics/tiles/sparkline.h"
#include "widgets/metrics/tiles/tile_view.h"

namespace lockstep {

/// Every quantity of a run in a small chart: of one rank, over the median of all ranks.
class RankTiles : public TileView {
  Q_OBJECT
 public:
  explicit RankTiles(QWidget* parent = nullptr);

  /// What is shown is renewed at most twice a second; another rank at once.
  void setRank(Rank rank);
  void setMetrics(std::shared_ptr<const MetricStore> metrics);
  void setSteps(const TileSteps& steps);

  [[nodiscard]] int tileCount() const override { return static_cast<int>(names_.size()); }
  /// "Step: 130 ms, median of all ranks 108 ms".
  [[nodiscard]] QString tileText(int tile) const override;

 protected:
  [[nodiscard]] QSize tileSize() const override;
  void computeTile(int tile, int width) override;
  void paintTile(QPainter& painter, const QRect& area, int tile) override;

 private:
  struct Picture {
    Sparkline rank, all;
  };
  void renew();
  [[nodiscard]] const std::string& nameOf(int tile) const { return names_[static_cast<std::size_t>(tile)]; }
  [[nodiscard]] QString medianText(const std::string& name, const Picture& picture) const;
  [[nodiscard]] QString rankText(const std::string& name, const Picture& picture) const;

  std::shared_ptr<const MetricStore> metrics_;
  Rank rank_;
  TileSteps steps_;
  std::vector<std::string> names_;  // in the catalogue's order, the script's own last
  std::map<int, Picture> pictures_;
  QTimer* soon_;
};

}  // namespace lockstep
