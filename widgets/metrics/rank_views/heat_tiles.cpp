// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_views/heat_tiles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "widgets/metrics/rank_views/view_colors.h"

namespace lockstep {
namespace {

constexpr std::size_t kCellsOfATile = 16'384;
constexpr std::size_t kRanksAtOnce = 64;  // some 0.5 ms
constexpr int kMaxLevel = 50;             // 2^50 steps: kMaxStep has a thousand such columns
constexpr int kColors = 256;

Step floorDivided(Step number, Step by) {
  return number / by - (number % by < 0 ? 1 : 0);
}

/// The colours of the scale, so that a cell costs no more than looking one up.
const std::array<QRgb, kColors>& scaleColors() {
  static const std::array<QRgb, kColors> kTable = [] {
    std::array<QRgb, kColors> table{};
    for (std::size_t i = 0; i < kColors; ++i) table[i] = scaleColor(static_cast<double>(i) / (kColors - 1));
    return table;
  }();
  return kTable;
}

QRgb colorOf(const RankCell& cell, double median, const ValueScale& scale) {
  if (!cell.isMeasured) return 0;
  if (cell.hasGap) return gapColor();
  const double position = scale.position(cell.farthestFrom(median));
  return scaleColors()[static_cast<std::size_t>(std::lround(position * (kColors - 1)))];
}

}  // namespace

void HeatTiles::setSource(std::shared_ptr<const MetricStore> metrics, const std::string& name,
                          const std::vector<Rank>& rows) {
  std::vector<Rank> ranks = rows;
  std::ranges::sort(ranks);
  if (name != name_ || ranks != ranks_) {
    tiles_.clear();
    begun_ = {};
    name_ = name;
    ranks_ = std::move(ranks);
    const std::size_t wanted = kCellsOfATile / std::max<std::size_t>(1, ranks_.size());
    columns_ = static_cast<int>(std::bit_floor(std::clamp<std::size_t>(wanted, 4, 64)));
  }
  if (metrics != metrics_) ++generation_;
  metrics_ = std::move(metrics);
  std::vector<std::size_t> order;
  for (const Rank rank : rows)
    order.push_back(static_cast<std::size_t>(std::ranges::lower_bound(ranks_, rank) - ranks_.begin()));
  if (order == order_) return;
  order_ = std::move(order);
  ++look_;
}

void HeatTiles::setScale(const ValueScale& scale) {
  if (scale == scale_) return;
  scale_ = scale;
  ++look_;
}

int HeatTiles::levelFor(double steps, int pixels) {
  int level = 0;
  while (level < kMaxLevel && std::ldexp(1.0, level) * std::max(1, pixels) < steps) ++level;
  return level;
}

int HeatTiles::rowsPerLine(double rows, int pixels) {
  return std::max(1, static_cast<int>(std::ceil(rows / std::max(1, pixels))));
}

std::pair<Step, Step> HeatTiles::placesIn(const HeatView& view, int level) const {
  const Step last = static_cast<Step>(std::ceil(view.to)) - 1;
  return {floorDivided(static_cast<Step>(std::floor(view.from)), widthOf(level)),
          floorDivided(last, widthOf(level))};
}

bool HeatTiles::fill(const HeatView& view, int level, std::chrono::nanoseconds time) {
  if (!metrics_ || ranks_.empty()) return true;
  const auto end = std::chrono::steady_clock::now() + time;
  const auto [first, last] = placesIn(view, level);
  // What was begun is finished while it is in view, else a view that moves fast would never get a tile.
  const bool isBegun = begun_.key.first == level && begun_.key.second >= first && begun_.key.second <= last;
  if (isBegun && !begun_.cells.empty() && !compute(begun_.key, end)) return false;
  // What is not there at all goes before what is only old.
  for (const bool isOld : {false, true}) {
    for (Step place = last; place >= first; --place) {
      const auto found = tiles_.find({level, place});
      const bool isLacking = isOld ? found->second.metrics != generation_ : found == tiles_.end();
      if (isLacking && !compute({level, place}, end)) return false;
    }
  }
  return true;
}

bool HeatTiles::compute(const Key& key, std::chrono::steady_clock::time_point end) {
  if (begun_.key != key || begun_.metrics != generation_) begun_ = {{}, generation_, clock_, 0, {}, key};
  const auto& [level, place] = key;
  const StepColumns columns{place * widthOf(level), Step{1} << level, columns_};
  while (begun_.cells.size() < ranks_.size() * static_cast<std::size_t>(columns_)) {
    if (!begun_.cells.empty() && std::chrono::steady_clock::now() >= end) return false;
    const std::size_t done = begun_.cells.size() / static_cast<std::size_t>(columns_);
    const auto some = std::span(ranks_).subspan(done, std::min(kRanksAtOnce, ranks_.size() - done));
    const auto cells = rankCells(*metrics_, name_, some, columns);
    begun_.cells.insert(begun_.cells.end(), cells.begin(), cells.end());
  }
  tiles_[key] = std::move(begun_);
  begun_ = {};
  return std::chrono::steady_clock::now() < end;
}

void HeatTiles::color(Tile& tile) const {
  const auto columns = static_cast<std::size_t>(columns_), group = static_cast<std::size_t>(rowsPerLine_);
  const std::size_t lines = (order_.size() + group - 1) / group;
  tile.image = QImage(columns_, static_cast<int>(lines), QImage::Format_ARGB32_Premultiplied);
  const std::vector<double> medians = columnMedians(tile.cells, columns_);
  std::vector<RankCell> merged(columns);
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t begin = line * group, end = std::min(order_.size(), begin + group);
    const RankCell* cells = &tile.cells[order_[begin] * columns];
    if (end - begin > 1) {
      std::copy_n(cells, columns, merged.begin());
      for (std::size_t row = begin + 1; row < end; ++row)
        for (std::size_t i = 0; i < columns; ++i) merged[i].include(tile.cells[order_[row] * columns + i]);
      cells = merged.data();
    }
    auto* pixels = reinterpret_cast<QRgb*>(tile.image.scanLine(static_cast<int>(line)));
    for (std::size_t i = 0; i < columns; ++i) pixels[i] = colorOf(cells[i], medians[i], scale_);
  }
  tile.look = look_;
}

const HeatTiles::Key* HeatTiles::keyFor(const Key& key) const {
  const Step begin = key.second * widthOf(key.first);
  for (int level = key.first; level <= kMaxLevel; ++level) {
    const auto found = tiles_.find({level, floorDivided(begin, widthOf(level))});
    if (found != tiles_.end()) return &found->first;
  }
  return nullptr;
}

void HeatTiles::drawStrip(QImage& picture, const QImage& unmeasured, const HeatView& view, const Key& key,
                          int left, int right) {
  Tile& tile = tiles_.at(key);
  if (tile.look != look_) color(tile);
  tile.used = clock_;
  const QRectF area = picture.rect();
  const double perColumn = std::ldexp(1.0, key.first);
  const double begin = static_cast<double>(key.second * widthOf(key.first));
  std::vector<int> columns;  // of the tile, for each pixel
  for (int x = left; x < right; ++x)
    columns.push_back(
        std::clamp(static_cast<int>((view.stepAt(x + 0.5, area) - begin) / perColumn), 0, columns_ - 1));
  for (int y = 0; y < picture.height(); ++y) {
    const int line = static_cast<int>(view.rowAt(y + 0.5, area)) / rowsPerLine_;
    const auto* from =
        reinterpret_cast<const QRgb*>(tile.image.constScanLine(std::min(line, tile.image.height() - 1)));
    const QRgb* ground = reinterpret_cast<const QRgb*>(unmeasured.constScanLine(y)) + left;
    QRgb* to = reinterpret_cast<QRgb*>(picture.scanLine(y)) + left;
    for (const int column : columns) {
      *to++ = from[column] != 0 ? from[column] : *ground;
      ++ground;
    }
  }
}

bool HeatTiles::draw(QImage& picture, const QImage& unmeasured, const HeatView& view, int level,
                     int rowsPerLine, QRgb unknown) {
  if (rowsPerLine != rowsPerLine_) ++look_;
  rowsPerLine_ = rowsPerLine;
  picture.fill(unknown);
  if (!metrics_ || order_.empty()) return true;
  ++clock_;
  bool isWhole = true;
  const auto [first, last] = placesIn(view, level);
  const auto pixelOf = [&](Step place) {
    const double x = view.xOf(static_cast<double>(place * widthOf(level)), picture.rect());
    return static_cast<int>(std::clamp(std::round(x), 0.0, static_cast<double>(picture.width())));
  };
  for (Step place = first; place <= last; ++place) {
    const Key wanted{level, place};
    const Key* key = keyFor(wanted);
    isWhole = isWhole && key != nullptr && *key == wanted;
    if (key != nullptr) drawStrip(picture, unmeasured, view, *key, pixelOf(place), pixelOf(place + 1));
  }
  forgetOld();
  return isWhole;
}

std::size_t HeatTiles::cellCount() const {
  std::size_t count = 0;
  for (const auto& [key, tile] : tiles_) count += tile.cells.size();
  return count;
}

void HeatTiles::forgetOld() {
  std::size_t count = cellCount();
  while (count > kMaxCells) {
    const auto oldest = std::ranges::min_element(tiles_, {}, [](const auto& one) { return one.second.used; });
    if (oldest->second.used == clock_) return;
    count -= oldest->second.cells.size();
    tiles_.erase(oldest);
  }
}

}  // namespace lockstep
