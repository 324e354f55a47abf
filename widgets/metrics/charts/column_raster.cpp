// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/column_raster.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

/// A colour ready to be laid over pixels.
struct Ink {
  std::uint32_t red, green, blue, alpha;

  explicit Ink(const QColor& color)
      : red(static_cast<std::uint32_t>(color.red())),
        green(static_cast<std::uint32_t>(color.green())),
        blue(static_cast<std::uint32_t>(color.blue())),
        alpha(static_cast<std::uint32_t>(color.alpha())) {}

  /// `share` of a pixel, of 256.
  void over(QRgb& pixel, std::uint32_t share) const {
    const std::uint32_t opaque = alpha * share / 256;
    const std::uint32_t rest = 255 - opaque;
    const auto mixed = [&](std::uint32_t ink, int ground) {
      return (ink * opaque + static_cast<std::uint32_t>(ground) * rest + 127) / 255;
    };
    pixel = mixed(255, qAlpha(pixel)) << 24U | mixed(red, qRed(pixel)) << 16U |
            mixed(green, qGreen(pixel)) << 8U | mixed(blue, qBlue(pixel));
  }
};

/// Pixels of one column, with what part of the first and the last one is covered.
void paintColumn(QImage& image, int column, double top, double bottom, const Ink& ink) {
  const double from = std::max(top, 0.0), to = std::min(bottom, static_cast<double>(image.height()));
  if (!(from < to)) return;
  const qsizetype stride = image.bytesPerLine();
  auto* const pixels = image.bits() + column * static_cast<qsizetype>(sizeof(QRgb));
  const int last = std::min(static_cast<int>(std::ceil(to)), image.height());
  for (int y = static_cast<int>(from); y < last; ++y) {
    const double share = std::min(to, y + 1.0) - std::max(from, static_cast<double>(y));
    ink.over(*reinterpret_cast<QRgb*>(pixels + y * stride),  // NOLINT(*-reinterpret-cast): how QImage keeps pixels
             static_cast<std::uint32_t>(share * 256));
  }
}

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
  const double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(x0)));
  const auto last = static_cast<std::size_t>(std::min(std::floor(x1), static_cast<double>(columns_.size() - 1)));
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
  const Ink ink(color);
  const auto& top = upper.columns();
  const auto& bottom = lower.columns();
  const int count = std::min({static_cast<int>(top.size()), static_cast<int>(bottom.size()), image.width()});
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (top[place].isEmpty() || bottom[place].isEmpty()) continue;
    paintColumn(image, i, std::min(top[place].top, bottom[place].top),
                std::max(top[place].bottom, bottom[place].bottom), ink);
  }
}

void strokeColumns(QImage& image, const ColumnExtents& line, double width, const QColor& color,
                   const std::vector<double>& dashes) {
  const Ink ink(color);
  const double period = std::accumulate(dashes.begin(), dashes.end(), 0.0);
  const auto& columns = line.columns();
  const int count = std::min(static_cast<int>(columns.size()), image.width());
  for (int i = 0; i < count; ++i) {
    const auto& extent = columns[static_cast<std::size_t>(i)];
    if (extent.isEmpty() || !isDrawn(i, dashes, period)) continue;
    paintColumn(image, i, extent.top - width / 2, extent.bottom + width / 2, ink);
  }
}

}  // namespace lockstep
