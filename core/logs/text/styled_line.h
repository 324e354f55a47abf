// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A colour as a terminal's sequence names it (ECMA-48 SGR and what xterm added).
struct LineColor {
  enum class Kind : std::uint8_t { Default, Palette, Rgb };
  Kind kind = Kind::Default;
  std::uint32_t value = 0;  // Palette: 0 to 255; Rgb: 0xRRGGBB
  bool operator==(const LineColor&) const = default;
};

struct LineStyle {
  LineColor text, ground;
  bool isBold = false;
  bool isFaint = false;
  bool isItalic = false;
  bool isUnderlined = false;
  bool isStruck = false;
  bool isInverse = false;
  bool operator==(const LineStyle&) const = default;
};

/// A part of a text that looks different, in bytes.
struct StyledRun {
  std::size_t begin = 0, length = 0;
  LineStyle style;
  bool operator==(const StyledRun&) const = default;
};

struct StyledLine {
  std::string text;             // onOneLine() of what came: control characters shown, no sequences of colours
  std::vector<StyledRun> runs;  // ascending, none overlaps; what lies between them has the default style
};

/// The text of a job as one line with its colours told apart. Nothing else in it is obeyed: other control sequences
/// are shown ("␛[2J"), and what would blink or hide text is left out. Never fails. Costs the length of the text.
[[nodiscard]] StyledLine styledLine(std::string_view text);

/// What a terminal would leave in sight of a line that was written over with carriage returns: what stands after the
/// last one that something follows.
[[nodiscard]] std::string_view newestUpdate(std::string_view text);

}  // namespace lockstep
