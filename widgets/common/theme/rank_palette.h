// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QPalette>
#include <Qt>

#include "base/ids.h"

namespace lockstep {

/// The colour that a rank has everywhere: in plots, tables and logs. Eight that people with any colour vision
/// can tell apart (after Okabe and Ito, shifted to 3:1 or better on the palette's base); from the ninth rank
/// on they repeat.
[[nodiscard]] QColor rankColor(Rank rank, const QPalette& palette);
/// How its line is drawn: solid for the first eight ranks, then dashed, dotted, dash-dotted.
[[nodiscard]] Qt::PenStyle rankPenStyle(Rank rank);
/// Black or white, whichever reads better on `ground`.
[[nodiscard]] QColor readableOn(const QColor& ground);

}  // namespace lockstep
