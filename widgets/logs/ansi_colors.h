// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QPalette>
#include <QTextCharFormat>

#include "logs/text/styled_line.h"

namespace lockstep {

/// What a terminal shows for a colour (xterm's 256); `other` for the default one.
[[nodiscard]] QColor terminalColor(const LineColor& color, const QColor& other);
/// `color`, or the nearest to it towards black or white that can be read on `ground` (4.5:1 or better).
[[nodiscard]] QColor readable(const QColor& color, const QColor& ground);
/// How text of this style is drawn on the palette's base, where text without one has the colour `text`. Whatever colours a
/// job chose, it can be read.
[[nodiscard]] QTextCharFormat formatOf(const LineStyle& style, const QPalette& palette, const QColor& text);

}  // namespace lockstep
