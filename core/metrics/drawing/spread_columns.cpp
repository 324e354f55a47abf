// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/drawing/spread_columns.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep {
namespace {

constexpr int kGlance = 16;  // columns

/// How many columns are computed together: so few that it takes no longer than a moment, of however many ranks.
long long pieceFor(std::size_t ranks, SpreadColumns::Pieces pieces) {
  const std::size_t cells = pieces == SpreadColumns::Pieces::Short ? 1024 : 8192;
  return static_cast<long long>(std::clamp<std::size_t>(cells / std::max<std::size_t>(ranks, 1), 1, 16));
}

long long floorDivided(long long value, long long by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

/// Steps beyond this are drawn as if they were there: products of them must not overflow.
double bounded(double step) {
  constexpr double kFarthest = 1e15;
  return std::isnan(step) ? 0 : std::clamp(step, -kFarthest, kFarthest);
}

long long columnOf(double step, Step width) {
  return static_cast<long long>(std::floor(bounded(step) / static_cast<double>(width)));
}

/// The columns that show a grid, and one on either side: [first, end).
std::pair<long long, long long> columnsOf(const PixelGrid& grid, Step width) {
  return {columnOf(grid.from, width) - 1, columnOf(grid.to, width) + 2};
}

}  // namespace

const SpreadColumns::Cell* SpreadColumns::Level::find(long long column) const {
  const bool isHere = column >= first && column - first < static_cast<long long>(cells.size());
  return isHere ? &cells[static_cast<std::size_t>(column - first)] : nullptr;
}

Step SpreadColumns::widthFor(const PixelGrid& grid) {
  const double wanted = (bounded(grid.to) - bounded(grid.from)) / std::max(1, grid.pixels);
  Step width = 1;
  while (static_cast<double>(width) * 2 <= wanted) width *= 2;
  const Step between = width / 2 * 3;
  return between > width && static_cast<double>(between) <= wanted ? between : width;
}

void SpreadColumns::setSource(std::shared_ptr<const MetricStore> metrics, const std::string& name,
                              const std::vector<Rank>& ranks, const std::vector<int>& attempts) {
  if (metrics == metrics_ && name == name_ && ranks == ranks_ && attempts == attempts_) return;
  const bool isSameKind = metrics_ != nullptr && name == name_ && attempts == attempts_;
  const auto steps = metrics->steps(name);
  if (!isSameKind || ranks.empty() || !steps) levels_.clear();
  const bool areSameRanks = ranks == ranks_;
  if (metrics != metrics_ || !areSameRanks) edges_.reset();
  if (!levels_.empty() && !areSameRanks) markStale(*steps);
  if (!levels_.empty() && areSameRanks && metrics != metrics_)
    if (const auto changed = metrics->changedSteps(name, ranks, *metrics_)) markStale(*changed);
  if (steps) extent_ = {static_cast<double>(steps->first), static_cast<double>(steps->second)};
  metrics_ = std::move(metrics);
  name_ = name;
  ranks_ = ranks;
  attempts_ = attempts;
}

void SpreadColumns::markStale(const std::pair<Step, Step>& steps) {
  for (auto& [width, level] : levels_) {
    const auto count = static_cast<long long>(level.cells.size());
    const long long begin = std::clamp(floorDivided(steps.first, width) - level.first, 0LL, count);
    const long long end = std::clamp(floorDivided(steps.second, width) + 1 - level.first, 0LL, count);
    for (long long i = begin; i < end; ++i) {
      Cell& cell = level.cells[static_cast<std::size_t>(i)];
      if (cell.state == State::Known) cell.state = State::Stale;
    }
  }
}

SpreadColumns::Level& SpreadColumns::levelFor(Step width, long long first, long long end) {
  while (levels_.size() >= kMaxLevels && !levels_.contains(width))
    levels_.erase(std::ranges::min_element(levels_, {}, [](const auto& one) { return one.second.used; }));
  Level& level = levels_[width];
  level.used = ++uses_;
  if (level.cells.empty()) level.first = first;
  long long from = std::min(first, level.first);
  long long to = std::max(end, level.first + static_cast<long long>(level.cells.size()));
  if (to - from > static_cast<long long>(kMaxColumns)) {
    level.cells.clear();
    level.first = from = first;
    to = end;
  }
  level.cells.insert(level.cells.begin(), static_cast<std::size_t>(level.first - from), Cell{});
  level.first = from;
  level.cells.resize(static_cast<std::size_t>(to - from));
  return level;
}

bool SpreadColumns::fill(const PixelGrid& grid, const IsOver& isOver, Pieces pieces) {
  if (grid.isEmpty() || metrics_ == nullptr || ranks_.empty()) return true;
  // A glance at all of it first, so that there is something to draw.
  if (levels_.empty() && isOver()) return false;
  if (levels_.empty() && grid.pixels > kGlance)
    fill(
        {grid.from, grid.to, kGlance}, [] { return false; }, Pieces::Long);
  const Step width = widthFor(grid);
  const auto [first, end] = columnsOf(grid, width);
  if (end - first > static_cast<long long>(kMaxColumns)) return true;
  Level& level = levelFor(width, first, end);
  if (!computeAll(width, level, first, end, State::Unknown, isOver, pieces)) return false;
  if (!computeAll(width, level, first, end, State::Stale, isOver, pieces)) return false;
  findEdges(grid);
  return true;
}

/// Those of [first, end) in that state.
bool SpreadColumns::computeAll(Step width, Level& level, long long first, long long end, State state,
                               const IsOver& isOver, Pieces pieces) {
  const long long piece = pieceFor(ranks_.size(), pieces);
  const auto isMissing = [&](long long column) { return level.find(column)->state == state; };
  for (long long column = first; column < end;) {
    if (!isMissing(column)) {
      ++column;
      continue;
    }
    if (isOver()) return false;
    long long behind = column;
    while (behind < end && behind - column < piece && isMissing(behind)) ++behind;
    compute(width, level, column, behind);
    column = behind;
  }
  return true;
}

void SpreadColumns::compute(Step width, Level& level, long long first, long long end) {
  for (long long column = first; column < end; ++column)
    level.cells[static_cast<std::size_t>(column - level.first)] = {State::Known, true, {}};
  const PixelGrid grid{static_cast<double>(first * width), static_cast<double>(end * width),
                       static_cast<int>(end - first)};
  for (const RankSpread& spread : spreadOverRanks(*metrics_, name_, ranks_, grid, attempts_)) {
    const long long column = columnOf(spread.x, width);
    if (column < first || column >= end) continue;
    Cell& cell = level.cells[static_cast<std::size_t>(column - level.first)];
    cell.isEmpty = false;
    cell.spread = spread;
  }
}

/// A line reaches the edges of a picture, also where samples are far apart.
void SpreadColumns::findEdges(const PixelGrid& grid) {
  const std::vector<RankSpread> inSight = columns(grid);
  const bool hasBefore = grid.from <= extent_.first || (!inSight.empty() && inSight.front().x <= grid.from);
  const bool hasBehind = grid.to >= extent_.second || (!inSight.empty() && inSight.back().x >= grid.to);
  if (hasBefore && hasBehind) return;
  if (edges_ && edges_->from == grid.from && edges_->to == grid.to) return;
  edges_ = Edges{grid.from, grid.to, {}, {}};
  for (const RankSpread& spread :
       spreadOverRanks(*metrics_, name_, ranks_, {grid.from, grid.to, 1}, attempts_)) {
    if (spread.x < grid.from) edges_->before = spread;
    if (spread.x > grid.to && !edges_->behind) edges_->behind = spread;
  }
}

/// What other widths know of the columns [first, end): the width that is nearest of those that know any of them.
void SpreadColumns::standIn(Step width, long long first, long long end, std::vector<RankSpread>& to) const {
  const double from = static_cast<double>(first * width), behind = static_cast<double>(end * width);
  std::vector<std::pair<double, const std::pair<const Step, Level>*>> others;
  for (const auto& level : levels_)
    if (level.first != width)
      others.emplace_back(std::fabs(std::log(static_cast<double>(level.first) / static_cast<double>(width))),
                          &level);
  std::ranges::sort(others);
  for (const auto& [distance, level] : others) {
    const std::size_t before = to.size();
    for (long long i = columnOf(from, level->first); i <= columnOf(behind, level->first); ++i) {
      const Cell* cell = level->second.find(i);
      if (cell == nullptr || cell->state == State::Unknown || cell->isEmpty) continue;
      const double x = cell->spread.x;
      if (x >= from && x < behind && (to.empty() || to.back().x < x)) to.push_back(cell->spread);
    }
    if (to.size() > before) return;
  }
}

std::vector<RankSpread> SpreadColumns::columns(const PixelGrid& grid) const {
  std::vector<RankSpread> found;
  if (grid.isEmpty()) return found;
  const Step width = widthFor(grid);
  const auto [first, end] = columnsOf(grid, width);
  if (end - first > static_cast<long long>(kMaxColumns)) return found;
  const auto place = levels_.find(width);
  const bool areEdges = edges_ && edges_->from == grid.from && edges_->to == grid.to;
  if (areEdges && edges_->before) found.push_back(*edges_->before);
  for (long long column = first; column < end;) {
    const Cell* cell = place == levels_.end() ? nullptr : place->second.find(column);
    if (cell != nullptr && cell->state != State::Unknown) {
      if (!cell->isEmpty && (found.empty() || found.back().x < cell->spread.x)) found.push_back(cell->spread);
      ++column;
      continue;
    }
    const long long unknown = column;
    const auto isUnknown = [&](long long one) {
      const Cell* other = place == levels_.end() ? nullptr : place->second.find(one);
      return other == nullptr || other->state == State::Unknown;
    };
    while (column < end && isUnknown(column)) ++column;
    standIn(width, unknown, column, found);
  }
  if (areEdges && edges_->behind && (found.empty() || found.back().x < edges_->behind->x))
    found.push_back(*edges_->behind);
  return found;
}

}  // namespace lockstep
