// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/terminal_text.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "base/text/encoding.h"

namespace lockstep {
namespace {

constexpr std::size_t kLongestColor = 64;  // of "\033[…m"
constexpr char kReset[] = "\033[0m";

struct Character {
  char32_t code = 0;
  std::size_t length = 1;
  bool isBroken = false;  // a byte that is not UTF-8
};

Character firstOf(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1, false};
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (text.size() < length || !isUtf8(text.substr(0, length))) return {byte(0), 1, true};
  char32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = (code << 6U) | (byte(i) & 0x3FU);
  return {code, length, false};
}

bool isC1(char32_t code) {
  return code >= 0x7F && code <= 0x9F;  // DEL, too
}

/// What changes the order of letters, breaks lines or is never to be seen: the rest of a line can hide in it.
bool isInvisibleControl(char32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x206F) || (code >= 0xFFF9 && code <= 0xFFFB) ||
         (code >= 0xE0000 && code <= 0xE007F);
}

std::string controlPicture(char32_t code) {  // U+2400…: "␛" of ESC
  const unsigned picture = code == 0x7F ? 0x2421U : 0x2400U + static_cast<unsigned>(code);
  return {'\xE2', static_cast<char>(0x80U | ((picture >> 6U) & 0x3FU)),
          static_cast<char>(0x80U | (picture & 0x3FU))};
}

/// The numbers of "\033[1;31m"; none: not well-formed.
std::optional<std::vector<int>> numbersOf(std::string_view body) {
  std::vector<int> numbers;
  for (;;) {
    const std::size_t end = std::min(body.find_first_of(";:"), body.size());
    int number = 0;
    const auto [at, error] = std::from_chars(body.data(), body.data() + end, number);
    if (end > 0 && (error != std::errc() || at != body.data() + end || number < 0)) return std::nullopt;
    numbers.push_back(number);
    if (end == body.size()) return numbers;
    body.remove_prefix(end + 1);
  }
}

bool isSeen(const std::vector<int>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const int number = numbers[i];
    const bool isPalette = number == 38 || number == 48 || number == 58;
    if (isPalette && i + 1 < numbers.size()) {
      i += numbers[i + 1] == 2 ? 4 : 2;  // 38;2;r;g;b or 38;5;n
    } else if (number == 5 || number == 6 || number == 8) {
      return false;  // blinks or hides
    }
  }
  return true;
}

struct Color {
  std::size_t length = 0;  // of the sequence; 0: there is none
  bool isShown = false;
  bool isReset = false;
};

Color colorAt(std::string_view text) {
  if (text.substr(0, 2) != "\033[") return {};
  const std::size_t end = text.find_first_not_of("0123456789;:", 2);
  if (end == std::string_view::npos || text[end] != 'm' || end > kLongestColor) return {};
  const auto numbers = numbersOf(text.substr(2, end - 2));
  if (!numbers) return {};
  return {end + 1, isSeen(*numbers), *numbers == std::vector<int>{0}};
}

class Filter {
 public:
  Filter(std::string_view text, TerminalColors colors, bool isOneLine)
      : left_(text), colors_(colors), isOneLine_(isOneLine) {}

  std::string filtered() && {
    while (!left_.empty()) {
      const Color color = colorAt(left_);
      color.length > 0 ? appendColor(color) : appendCharacter(firstOf(left_));
    }
    endColor();
    return std::move(out_);
  }

 private:
  void appendColor(const Color& color) {
    if (colors_ == TerminalColors::Keep && color.isShown) {
      out_ += left_.substr(0, color.length);
      isColored_ = !color.isReset;
    }
    left_.remove_prefix(color.length);
  }

  void appendCharacter(const Character& next) {
    const std::string_view bytes = left_.substr(0, next.length);
    left_.remove_prefix(next.length);
    if (next.code == U'\n' && !isOneLine_) endColor();
    if (next.isBroken || isC1(next.code)) {
      out_ += next.code == 0x7F ? controlPicture(next.code)
                                : fmt::format("\\x{:02X}", static_cast<unsigned>(next.code));
    } else if (next.code < 0x20 && next.code != U'\t' && (next.code != U'\n' || isOneLine_)) {
      out_ += controlPicture(next.code);
    } else if (isInvisibleControl(next.code)) {
      out_ += fmt::format("\\u{:04X}", static_cast<unsigned>(next.code));
    } else {
      out_ += bytes;
    }
  }

  void endColor() {
    if (isColored_) out_ += kReset;
    isColored_ = false;
  }

  std::string_view left_;
  TerminalColors colors_;
  bool isOneLine_;
  bool isColored_ = false;
  std::string out_;
};

}  // namespace

std::string forTerminal(std::string_view text, TerminalColors colors) {
  return Filter(text, colors, false).filtered();
}

std::string onOneLine(std::string_view text, TerminalColors colors) {
  return Filter(text, colors, true).filtered();
}

std::string jsonForTerminal(std::string_view json) {
  std::string out;
  while (!json.empty()) {
    const Character next = firstOf(json);
    if (next.code > 0xFFFF && isInvisibleControl(next.code)) {
      const auto above = static_cast<unsigned>(next.code) - 0x10000U;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (above >> 10U), 0xDC00U + (above & 0x3FFU));
    } else if (isC1(next.code) || isInvisibleControl(next.code)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(next.code));
    } else {
      out += json.substr(0, next.length);
    }
    json.remove_prefix(next.length);
  }
  return out;
}

}  // namespace lockstep
