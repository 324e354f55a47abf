// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/hcl.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

/// The length of the UTF-8 sequence at the start of `text`; 0: there is none.
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second > 0x9F;
  const bool tooLarge = first == 0xF4 && second > 0x8F;
  return overlong || surrogate || tooLarge ? 0 : length;
}

void appendAscii(std::string& out, char c, bool opensTemplate) {
  const auto code = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (code < 0x20 || code == 0x7F) {
    out += fmt::format("\\u{:04x}", code);
  } else {
    if (opensTemplate) out += c;  // "$${" stands for "${"
    out += c;
  }
}

}  // namespace

std::string quoteHcl(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequenceLength(text.substr(i));
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
    } else if (length == 1) {
      const bool opens = (text[i] == '$' || text[i] == '%') && i + 1 < text.size() && text[i + 1] == '{';
      appendAscii(out, text[i++], opens);
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out + '"';
}

std::string quoteHcl(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + quoteHcl(text);
  return out + "]";
}

}  // namespace lockstep
