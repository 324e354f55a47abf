// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/text/styled_line.h"

#include <charconv>
#include <optional>

#include "base/text/terminal_text.h"

namespace lockstep {
namespace {

constexpr std::uint32_t kMaxComponent = 255;

/// Takes the next number and what separates it from the one after it. A number that is left out is 0.
struct SgrNumbers {
  std::string_view left;
  bool isSub = false;  // the last number was followed by ':', so the next one belongs to it

  std::optional<std::uint32_t> next() {
    if (left.data() == nullptr) return std::nullopt;
    const std::size_t end = std::min(left.find_first_of(";:"), left.size());
    std::uint32_t number = 0;
    const auto [at, error] = std::from_chars(left.data(), left.data() + end, number);
    if (error != std::errc() && end > 0)
      number = kMaxComponent + 1;  // too large for anything that has a meaning
    isSub = end < left.size() && left[end] == ':';
    left = end < left.size() ? left.substr(end + 1) : std::string_view();
    return number;
  }
};

/// What follows 38 or 48: "5;n", "2;r;g;b", or with colons, where a colour space may stand before r: "2::r:g:b".
std::optional<LineColor> extendedColor(SgrNumbers& numbers) {
  const bool hasColons = numbers.isSub;
  const auto kind = numbers.next();
  if (kind == 5U) {
    const auto index = numbers.next();
    if (!index || *index > kMaxComponent) return std::nullopt;
    return LineColor{LineColor::Kind::Palette, *index};
  }
  if (kind != 2U) {
    (void)numbers.next();  // what an unknown kind is told
    return std::nullopt;
  }
  std::vector<std::uint32_t> parts;
  while (parts.size() < 4) {
    const auto part = numbers.next();
    if (!part) break;
    parts.push_back(*part);
    if (hasColons ? !numbers.isSub : parts.size() == 3) break;
  }
  if (parts.size() == 4) parts.erase(parts.begin());
  if (parts.size() != 3) return std::nullopt;
  std::uint32_t rgb = 0;
  for (const std::uint32_t part : parts) {
    if (part > kMaxComponent) return std::nullopt;
    rgb = rgb << 8U | part;
  }
  return LineColor{LineColor::Kind::Rgb, rgb};
}

LineColor paletteColor(std::uint32_t index) {
  return {LineColor::Kind::Palette, index};
}

bool applyColor(std::uint32_t number, LineStyle& style) {
  if (number >= 30 && number <= 37)
    style.text = paletteColor(number - 30);
  else if (number >= 40 && number <= 47)
    style.ground = paletteColor(number - 40);
  else if (number >= 90 && number <= 97)
    style.text = paletteColor(number - 90 + 8);
  else if (number >= 100 && number <= 107)
    style.ground = paletteColor(number - 100 + 8);
  else if (number == 39)
    style.text = {};
  else if (number == 49)
    style.ground = {};
  else
    return false;
  return true;
}

void applyLook(std::uint32_t number, LineStyle& style) {
  switch (number) {
    case 0:
      style = {};
      break;
    case 1:
      style.isBold = true;
      break;
    case 2:
      style.isFaint = true;
      break;
    case 3:
      style.isItalic = true;
      break;
    case 4:
    case 21:
      style.isUnderlined = true;
      break;
    case 7:
      style.isInverse = true;
      break;
    case 9:
      style.isStruck = true;
      break;
    case 22:
      style.isBold = style.isFaint = false;
      break;
    case 23:
      style.isItalic = false;
      break;
    case 24:
      style.isUnderlined = false;
      break;
    case 27:
      style.isInverse = false;
      break;
    case 29:
      style.isStruck = false;
      break;
    default:
      break;
  }
}

/// `body`: what stands between "ESC [" and "m".
void applySgr(std::string_view body, LineStyle& style) {
  SgrNumbers numbers{body};
  if (body.empty()) style = {};
  while (const auto number = body.empty() ? std::nullopt : numbers.next()) {
    if (*number == 38 || *number == 48 || *number == 58) {
      const auto color = extendedColor(numbers);
      if (color && *number != 58) (*number == 38 ? style.text : style.ground) = *color;
      continue;
    }
    const bool hasSub = numbers.isSub;
    const auto sub = hasSub ? numbers.next() : std::nullopt;
    if (*number == 4 && sub)
      style.isUnderlined = *sub != 0;  // "4:3", a curl, is a line to us
    else if (!applyColor(*number, style))
      applyLook(*number, style);
  }
}

}  // namespace

StyledLine styledLine(std::string_view text) {
  // What is left of ESC after the filter are sequences of colours, all of them well formed.
  const std::string filtered = onOneLine(text, TerminalColors::Keep);
  StyledLine line;
  LineStyle style;
  std::string_view left = filtered;
  while (!left.empty()) {
    const std::size_t escape = std::min(left.find('\x1b'), left.size());
    if (escape > 0) {
      if (style != LineStyle{}) line.runs.push_back({line.text.size(), escape, style});
      line.text += left.substr(0, escape);
      left.remove_prefix(escape);
      continue;
    }
    const std::size_t end = left.find('m');
    if (end == std::string_view::npos) break;
    applySgr(left.substr(2, end - 2), style);
    left.remove_prefix(end + 1);
  }
  return line;
}

std::string_view newestUpdate(std::string_view text) {
  const std::size_t last = text.find_last_not_of('\r');
  if (last == std::string_view::npos) return {};
  const std::size_t before = text.rfind('\r', last);
  return before == std::string_view::npos ? text : text.substr(before + 1, last - before);
}

}  // namespace lockstep
