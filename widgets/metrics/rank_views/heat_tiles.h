// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QRgb>
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
/// is 2^l steps wide. Several rows may share a line: then it shows, of all of them, the value furthest from the median of all
/// ranks at these steps, and that not all are finite where one is not. The same holds for the steps of a column.
class HeatTiles {
 public:
  /// Of these ranks in this order, one a row. Cells of another quantity or of other ranks are forgotten; those of older
  /// metrics are shown until fill() has newer ones.
  void setSource(std::shared_ptr<const MetricStore> metrics, const std::string& name,
                 const std::vector<Rank>& rows);
  void setScale(const ValueScale& scale);

  /// The level whose columns are one or two pixels wide.
  [[nodiscard]] static int levelFor(double steps, int pixels);
  /// How many rows share a line where there are so many for so many pixels.
  [[nodiscard]] static int rowsPerLine(double rows, int pixels);

  /// Computes what the view lacks at that level, newest steps first, for about that time; a little is done always. True:
  /// nothing is lacking.
  bool fill(const HeatView& view, int level, std::chrono::nanoseconds time);
  /// Draws what is in view over all of `picture` (RGB32), and what was not measured as in `unmeasured`, a picture of the same
  /// size. False: at that level, cells in view were never computed; they are shown by wider columns, else in `unknown`. Every
  /// column and line has a pixel at least, where the level and the lines are those for so many pixels.
  bool draw(QImage& picture, const QImage& unmeasured, const HeatView& view, int level, int rowsPerLine,
            QRgb unknown);

  [[nodiscard]] std::size_t cellCount() const;  // that are kept: at most some kMaxCells, and what is in view

  static constexpr std::size_t kMaxCells = std::size_t{3} << 20;

 private:
  using Key = std::pair<int, Step>;  // level, place
  struct Tile {
    std::vector<RankCell> cells;  // rank by rank, as ranks_
    std::uint64_t metrics = 0;    // of which metrics
    std::uint64_t used = 0;       // when it was drawn last
    std::uint64_t look = 0;       // which look the image has
    QImage image;                 // a pixel for each column and line; transparent: not measured
    Key key{-1, 0};
  };
  [[nodiscard]] std::pair<Step, Step> placesIn(const HeatView& view, int level) const;
  [[nodiscard]] Step widthOf(int level) const { return static_cast<Step>(columns_) << level; }
  /// False: time is up; what is done of it is kept for the next call.
  bool compute(const Key& key, std::chrono::steady_clock::time_point end);
  void color(Tile& tile) const;
  /// The tile of that place, or one of wider columns around it; null: there is none.
  [[nodiscard]] const Key* keyFor(const Key& key) const;
  void drawStrip(QImage& picture, const QImage& unmeasured, const HeatView& view, const Key& key, int left,
                 int right);
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
  Tile begun_;  // as many of its cells as are computed
};

}  // namespace lockstep
