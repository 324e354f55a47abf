// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/ansi_colors.h"

#include <array>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr double kLegible = 4.5;  // WCAG 2, level AA
constexpr double kFaint = 0.6;

constexpr std::array<QRgb, 16> kNamed{0x000000, 0xcd3131, 0x0dbc79, 0xc8a400, 0x2472c8, 0xbc3fbc,
                                      0x11a8cd, 0xcccccc, 0x666666, 0xf14c4c, 0x23d18b, 0xf5d543,
                                      0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff};

/// xterm: 16 to 231 are a cube of 6 x 6 x 6, the rest a ramp of greys.
QColor indexedColor(std::uint32_t index) {
  if (index < kNamed.size()) return QColor::fromRgb(kNamed[index]);
  if (index > 255) return {};
  if (index >= 232) {
    const int grey = 8 + 10 * static_cast<int>(index - 232);
    return {grey, grey, grey};
  }
  const auto level = [](std::uint32_t step) { return step == 0 ? 0 : 55 + 40 * static_cast<int>(step); };
  const std::uint32_t cube = index - 16;
  return {level(cube / 36), level(cube / 6 % 6), level(cube % 6)};
}

}  // namespace

QColor terminalColor(const LineColor& color, const QColor& other) {
  switch (color.kind) {
    case LineColor::Kind::Palette:
      return indexedColor(color.value);
    case LineColor::Kind::Rgb:
      return QColor::fromRgb(color.value);
    case LineColor::Kind::Default:
      break;
  }
  return other;
}

QColor readable(const QColor& color, const QColor& ground) {
  const QColor end = readableOn(ground);
  for (double share = 0.0; share < 1.0; share += 0.1) {
    const QColor mixed = share > 0.0 ? tinted(color, end, share) : color;
    if (contrast(mixed, ground) >= kLegible) return mixed;
  }
  return end;
}

QTextCharFormat formatOf(const LineStyle& style, const QPalette& palette, const QColor& text) {
  const QColor base = palette.color(QPalette::Base);
  QColor front = terminalColor(style.text, text);
  QColor ground = terminalColor(style.ground, base);
  if (style.isInverse) std::swap(front, ground);
  if (style.isFaint) front = tinted(ground, front, kFaint);
  QTextCharFormat format;
  format.setForeground(readable(front, ground));
  if (ground != base) format.setBackground(ground);
  if (style.isBold) format.setFontWeight(QFont::Bold);
  if (style.isItalic) format.setFontItalic(true);
  if (style.isUnderlined) format.setFontUnderline(true);
  if (style.isStruck) format.setFontStrikeOut(true);
  return format;
}

}  // namespace lockstep
