// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "base/text/encoding.h"
#include "base/text/terminal_text.h"
#include "fuzz_targets.h"

namespace lockstep {
namespace {

// How long a colour is that stands there: ESC [ numbers m; 0: it is none.
std::size_t colorLength(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;:", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

bool isC1(std::string_view text) {
  return text.size() > 1 && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xA0;
}

std::string checkHarmless(std::string_view text, bool mayBeColored, bool mayBreak) {
  if (!isUtf8(text)) return "a terminal gets what is no UTF-8";
  while (!text.empty()) {
    const std::size_t color = mayBeColored ? colorLength(text) : 0;
    const auto c = static_cast<unsigned char>(text.front());
    const bool isBreak = c == '\n' && mayBreak;
    if (color == 0 && !isBreak && c != '\t' && (c < 0x20 || c == 0x7F))
      return "a terminal gets a control character";
    if (isC1(text)) return "a terminal gets a C1 control";
    text.remove_prefix(color == 0 ? 1 : color);
  }
  return {};
}

}  // namespace

std::string tryTerminal(std::string_view input) {
  for (const TerminalColors colors : {TerminalColors::Drop, TerminalColors::Keep}) {
    const bool mayBeColored = colors == TerminalColors::Keep;
    const std::string text = forTerminal(input, colors), line = onOneLine(input, colors);
    if (std::string wrong = checkHarmless(text, mayBeColored, true); !wrong.empty()) return wrong;
    if (std::string wrong = checkHarmless(line, mayBeColored, false); !wrong.empty()) return wrong;
    if (forTerminal(text, colors) != text || onOneLine(line, colors) != line)
      return "what was filtered once is changed again";
  }
  return {};
}

}  // namespace lockstep
