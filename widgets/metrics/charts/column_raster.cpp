// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/column_raster.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

/// `pixel` times `share` of 255, all four parts at once.
QRgb scaled(QRgb pixel, std::uint32_t share) {
  constexpr std::uint32_t kTwo = 0x00FF'00FFU, kHalf = 0x0080'0080U;
  std::uint32_t even = (pixel & kTwo) * share + kHalf;
  even = ((even + ((even >> 8U) & kTwo)) >> 8U) & kTwo;
  std::uint32_t odd = ((pixel >> 8U) & kTwo) * share + kHalf;
  odd = (odd + ((odd >> 8U) & kTwo)) & ~kTwo;
  return even | odd;
}

/// Pixels of one column of an image, and a colour to lay over them.
class ColumnBrush {
 public:
  ColumnBrush(QImage& image, const QColor& color)
      : pixels_(image.bits()),
        stride_(image.bytesPerLine()),
        height_(image.height()),
        ink_(qPremultiply(color.rgba())) {}

  /// The first and the last pixel as far as they are covered.
  void paint(int column, double top, double bottom) const {
    const double from = std::max(top, 0.0), to = std::min(bottom, static_cast<double>(height_));
    if (!(from < to)) return;
    const int first = static_cast<int>(from), last = static_cast<int>(to);
    if (first == last) return over(column, first, to - from);
    over(column, first, first + 1 - from);
    fill(column, first + 1, last);
    if (last < height_) over(column, last, to - last);
  }

 private:
  [[nodiscard]] QRgb& at(int column, int row) const {
    // NOLINTNEXTLINE(*-reinterpret-cast): how QImage keeps its pixels
    return *reinterpret_cast<QRgb*>(pixels_ + row * stride_ + column * static_cast<qsizetype>(sizeof(QRgb)));
  }
  void over(int column, int row, double share) const {
    const QRgb ink = scaled(ink_, static_cast<std::uint32_t>(std::lround(share * 255)));
    QRgb& pixel = at(column, row);
    pixel = ink + scaled(pixel, 255U - static_cast<std::uint32_t>(qAlpha(ink)));
  }
  void fill(int column, int first, int end) const {
    const auto rest = 255U - static_cast<std::uint32_t>(qAlpha(ink_));
    for (int row = first; row < end; ++row) {
      QRgb& pixel = at(column, row);
      pixel = rest == 0 || pixel == 0 ? ink_ : ink_ + scaled(pixel, rest);
    }
  }

  uchar* pixels_;
  qsizetype stride_;
  int height_;
  QRgb ink_;
};

bool isDrawn(double place, const std::vector<double>& dashes, double period) {
  if (!(period > 0)) return true;
  double rest = std::fmod(place, period);
  for (std::size_t i = 0; i < dashes.size(); ++i) {
    if (rest < dashes[i]) return i % 2 == 0;
    rest -= dashes[i];
  }
  return true;
}

}  // namespace

void ColumnExtents::addLine(double x0, double y0, double x1, double y1) {
  if (!std::isfinite(x0 + x1 + y0 + y1) || x1 < 0 || x0 >= static_cast<double>(columns_.size())) return;
  if (x0 == x1 && x0 >= 0) {  // as two of three are, where points are dense
    const auto column = static_cast<std::size_t>(x0);
    include(column, y0);
    return include(column, y1);
  }
  const double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(x0)));
  const auto last =
      static_cast<std::size_t>(std::min(std::floor(x1), static_cast<double>(columns_.size() - 1)));
  for (std::size_t column = first; column <= last; ++column) {
    const auto left = static_cast<double>(column);
    include(column, x0 >= left ? y0 : y0 + (left - x0) * slope);
    include(column, x1 <= left + 1 ? y1 : y0 + (left + 1 - x0) * slope);
  }
}

void ColumnExtents::include(std::size_t column, double y) {
  constexpr double kFarthest = 1e5;  // beyond any screen
  const auto at = static_cast<float>(std::clamp(y, -kFarthest, kFarthest));
  Extent& extent = columns_[column];
  const bool isFirst = extent.isEmpty();
  extent.top = isFirst ? at : std::min(extent.top, at);
  extent.bottom = isFirst ? at : std::max(extent.bottom, at);
}

void fillBetween(QImage& image, const ColumnExtents& upper, const ColumnExtents& lower, const QColor& color) {
  const ColumnBrush brush(image, color);
  const auto& top = upper.columns();
  const auto& bottom = lower.columns();
  const int count = std::min({static_cast<int>(top.size()), static_cast<int>(bottom.size()), image.width()});
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (top[place].isEmpty() || bottom[place].isEmpty()) continue;
    brush.paint(i, std::min(top[place].top, bottom[place].top),
                std::max(top[place].bottom, bottom[place].bottom));
  }
}

void strokeColumns(QImage& image, const ColumnExtents& line, double width, const QColor& color,
                   const std::vector<double>& dashes) {
  const ColumnBrush brush(image, color);
  const double period = std::accumulate(dashes.begin(), dashes.end(), 0.0);
  const auto& columns = line.columns();
  const int count = std::min(static_cast<int>(columns.size()), image.width());
  for (int i = 0; i < count; ++i) {
    const auto& extent = columns[static_cast<std::size_t>(i)];
    if (extent.isEmpty() || !isDrawn(i, dashes, period)) continue;
    brush.paint(i, extent.top - width / 2, extent.bottom + width / 2);
  }
}

}  // namespace lockstep
