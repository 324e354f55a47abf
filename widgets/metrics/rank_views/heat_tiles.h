// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QPainter>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "metrics/grid/rank_cells.h"
#include "metrics/grid/value_scale.h"
#include "widgets/metrics/rank_views/heat_view.h"

namespace lockstep {

/// The cells of a heat map, kept by level and place, so that moving computes only what comes into sight. A column of level l
/// is 2^l steps wide. Several rows may share a line: then it shows, of all of them, the value furthest from the median, and
/// that not all are finite where one is not. The same holds for the steps of a column.
class HeatTiles {
 public:
  /// Of these ranks in this order, one a row. Cells of another quantity or of other ranks are forgotten; those of older
  /// metrics are shown until fill() has newer ones.
  void setSource(std::shared_ptr<const MetricStore> metrics, const std::string& name, const std::vector<Rank>& rows);
  void setScale(const ValueScale& scale);

  /// The level whose columns are one or two pixels wide.
  [[nodiscard]] static int levelFor(double steps, int pixels);
  /// How many rows share a line where there are so many for so many pixels.
  [[nodiscard]] static int rowsPerLine(double rows, int pixels);

  /// Computes what the view lacks at that level, newest steps first, for about that time. True: nothing is lacking. Cost: at
  /// least one tile (some 16,000 cells) where one is.
  bool fill(const HeatView& view, int level, std::chrono::nanoseconds time);
  /// False: at that level, cells in view were never computed; they are shown by wider columns, or not at all.
  bool paint(QPainter& painter, const HeatView& view, const QRectF& area, int level, int rowsPerLine,
             const QColor& unknown);

  [[nodiscard]] std::size_t cellCount() const;  // that are kept: at most some kMaxCells, and what is in view

  static constexpr std::size_t kMaxCells = std::size_t{3} << 20;

 private:
  using Key = std::pair<int, Step>;  // level, place
  struct Tile {
    std::vector<RankCell> cells;  // rank by rank, as ranks_
    std::uint64_t metrics = 0;    // of which metrics
    std::uint64_t used = 0;       // when it was painted last
    std::uint64_t look = 0;       // which look the image has
    QImage image;                 // a pixel for each column and line; transparent: not measured
  };
  [[nodiscard]] std::pair<Step, Step> placesIn(const HeatView& view, int level) const;
  [[nodiscard]] Step widthOf(int level) const { return static_cast<Step>(columns_) << level; }
  void compute(const Key& key);
  void draw(Tile& tile) const;
  void paintPart(QPainter& painter, const HeatView& view, const QRectF& area, const Key& key, double from, double to);
  bool paintWider(QPainter& painter, const HeatView& view, const QRectF& area, const Key& key);
  void forgetOld();

  std::shared_ptr<const MetricStore> metrics_;
  std::string name_;
  std::vector<Rank> ranks_;         // ascending
  std::vector<std::size_t> order_;  // for each row the place among ranks_
  ValueScale scale_;
  int columns_ = 16;  // of a tile
  int rowsPerLine_ = 1;
  std::uint64_t generation_ = 0;  // of the metrics
  std::uint64_t look_ = 1;        // of order, scale and lines
  std::uint64_t clock_ = 0;
  std::map<Key, Tile> tiles_;
};

}  // namespace lockstep
