// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/theme/rank_palette.h"

#include <array>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr std::array<QRgb, 8> kOnLight{0x0072b2, 0xc85200, 0x00805f, 0xa9497f,
                                       0x8a6a00, 0x2b87c4, 0x6b4fc0, 0x59616e};
constexpr std::array<QRgb, 8> kOnDark{0x56b4e9, 0xf0913c, 0x2fc79b, 0xe48dbf,
                                      0xf0e442, 0x8fa8ff, 0xff8a7a, 0xc3cad5};
constexpr std::array<Qt::PenStyle, 4> kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

std::size_t indexOf(Rank rank) {
  return static_cast<std::size_t>(std::max(0, rank.value));
}

}  // namespace

QColor rankColor(Rank rank, const QPalette& palette) {
  const auto& colors = isDark(palette) ? kOnDark : kOnLight;
  return QColor::fromRgb(colors[indexOf(rank) % colors.size()]);
}

Qt::PenStyle rankPenStyle(Rank rank) {
  return kStyles[indexOf(rank) / kOnLight.size() % kStyles.size()];
}

QColor readableOn(const QColor& ground) {
  return contrast(Qt::black, ground) > contrast(Qt::white, ground) ? Qt::black : Qt::white;
}

}  // namespace lockstep
