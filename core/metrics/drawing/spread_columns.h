// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/rank_spread.h"

namespace lockstep {

/// Spreads over ranks that are kept, so that a picture that moves costs only the columns that are new to it. Columns lie on a
/// lattice: each begins at a multiple of its width, and widths are 1, 2, 3, 4, 6, 8, 12 … steps, whichever fits what is
/// asked for, so that neither moving nor a little zooming changes them. Until a column is computed the best of other widths
/// stands in for it. Bounded: kMaxLevels widths of kMaxColumns columns.
class SpreadColumns {
 public:
  static constexpr std::size_t kMaxLevels = 6, kMaxColumns = 8192;
  /// Asked between pieces of work: whether there is no more time now.
  using IsOver = std::function<bool()>;
  /// How much is computed between two questions: as little as can be, while something moves, or so much that all of it is done
  /// sooner, some ten milliseconds of 1,024 ranks.
  enum class Pieces { Short, Long };

  /// What the columns are of. `attempts` as spreadOverRanks(). What may have changed is computed again, and drawn as it was
  /// until then; of an empty store nothing is left.
  void setSource(std::shared_ptr<const MetricStore> metrics, const std::string& name,
                 const std::vector<Rank>& ranks, const std::vector<int>& attempts);
  /// Computes what is missing for `grid`: first what nothing is known of, then what may have changed. False: it is over
  /// before that is done; of what was never drawn first a glance is computed, as a whole. Cost: that of the ranks' pixels that are missing.
  bool fill(const PixelGrid& grid, const IsOver& isOver, Pieces pieces = Pieces::Short);
  /// Whether anything was computed since there was nothing: else columns() are none, whatever there is.
  [[nodiscard]] bool isKnown() const { return !levels_.empty(); }
  /// For `grid` and the nearest column on either side, ascending.
  [[nodiscard]] std::vector<RankSpread> columns(const PixelGrid& grid) const;
  /// How wide a column for `grid` is, in steps: no wider than that of the grid, if that is one at least.
  [[nodiscard]] static Step widthFor(const PixelGrid& grid);

 private:
  enum class State : unsigned char { Unknown, Stale, Known };
  struct Cell {
    State state = State::Unknown;
    bool isEmpty = true;
    RankSpread spread;
  };
  struct Level {
    long long first = 0;  // the number of the first column: it begins at first x width
    std::vector<Cell> cells;
    unsigned long long used = 0;

    [[nodiscard]] const Cell* find(long long column) const;
  };
  struct Edges {  // the nearest columns outside of what is in sight, where it has none
    double from = 0, to = 0;
    std::optional<RankSpread> before, behind;
  };

  void markStale(const std::pair<Step, Step>& steps);
  Level& levelFor(Step width, long long first, long long end);
  bool computeAll(Step width, Level& level, long long first, long long end, State state, const IsOver& isOver,
                  Pieces pieces);
  void compute(Step width, Level& level, long long first, long long end);
  void findEdges(const PixelGrid& grid);
  void standIn(Step width, long long first, long long end, std::vector<RankSpread>& to) const;

  std::shared_ptr<const MetricStore> metrics_;
  std::string name_;
  std::vector<Rank> ranks_;
  std::vector<int> attempts_;
  std::map<Step, Level> levels_;  // by width
  std::optional<Edges> edges_;
  std::pair<double, double> extent_;  // the first and the last step of any sample
  unsigned long long uses_ = 0;
};

}  // namespace lockstep
