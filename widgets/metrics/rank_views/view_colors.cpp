// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_views/view_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

// Viridis at 20 places, evenly; what lies between is drawn straight.
constexpr std::array<QRgb, 20> kViridis{0x440154, 0x481568, 0x482677, 0x453781, 0x3f4788, 0x39558c, 0x32648e,
                                        0x2d718e, 0x287d8e, 0x238a8d, 0x1f968b, 0x20a386, 0x29af7f, 0x3cbc75,
                                        0x56c667, 0x74d055, 0x94d840, 0xb8de29, 0xdce318, 0xfde725};

// The colours of the ranks have been chosen for every eye. Waiting is the orange one, what is left the grey one.
constexpr std::array kPartColors{4, 5, 0, 2, 1, 3, 6, 7};

int between(int from, int to, double share) {
  return static_cast<int>(std::lround(from + (to - from) * share));
}

}  // namespace

QRgb scaleColor(double position) {
  const double place = std::clamp(position, 0.0, 1.0) * static_cast<double>(kViridis.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
  const double share = place - static_cast<double>(below);
  const QRgb from = kViridis[below], to = kViridis[below + 1];
  return qRgb(between(qRed(from), qRed(to), share), between(qGreen(from), qGreen(to), share),
              between(qBlue(from), qBlue(to), share));
}

QRgb gapColor() {
  return qRgb(0x99, 0, 0);
}

QColor unmeasuredColor(const QPalette& palette) {
  return tinted(cardColor(palette), palette.color(QPalette::Text), 0.07);
}

QBrush unmeasuredBrush(const QPalette& palette) {
  return {tinted(cardColor(palette), palette.color(QPalette::Text), 0.22), Qt::BDiagPattern};
}

QColor stepPartColor(std::size_t part, const QPalette& palette) {
  return rankColor(Rank(kPartColors[part % kPartColors.size()]), palette);
}

}  // namespace lockstep
