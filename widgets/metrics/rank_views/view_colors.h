// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QBrush>
#include <QColor>
#include <QPalette>

namespace lockstep {

/// The colours of a heat map, from 0 (dark violet) to 1 (yellow): viridis, whose lightness ascends evenly, so that people with
/// any colour vision, and prints without colours, tell more from less. Outside [0, 1] the colour of the nearer end.
[[nodiscard]] QRgb scaleColor(double position);

/// Where a value is not finite: a dark red that is no colour of the scale for anybody's eyes.
[[nodiscard]] QRgb gapColor();
/// Where nothing was measured, in cells too small for unmeasuredBrush().
[[nodiscard]] QColor unmeasuredColor(const QPalette& palette);
/// Where nothing was measured: hatched.
[[nodiscard]] QBrush unmeasuredBrush(const QPalette& palette);

/// The colour of a part of a step, by its place in kStepParts: eight that people with any colour vision can tell apart.
[[nodiscard]] QColor stepPartColor(std::size_t part, const QPalette& palette);

}  // namespace lockstep
