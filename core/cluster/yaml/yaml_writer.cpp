// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/yaml_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {
namespace {

constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`";

bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20U || c == '\x7F';
}

/// U+0080-U+009F, U+2028, U+2029, U+FEFF: YAML takes them for line breaks or refuses them bare.
bool hasOddCharacters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (isControl(text[i])) return true;
    const std::string_view rest = text.substr(i);
    if (rest.size() >= 2 && rest[0] == '\xC2' && static_cast<unsigned char>(rest[1]) < 0xA0U) return true;
    if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9") ||
        rest.starts_with("\xEF\xBB\xBF") || rest.starts_with("\xEF\xBF\xBE") ||
        rest.starts_with("\xEF\xBF\xBF"))
      return true;
  }
  return false;
}

/// Whether the characters can stand without quotes, whatever they then mean.
bool canStandBare(std::string_view text, bool inFlow) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || hasOddCharacters(text)) return false;
  if (kIndicators.find(text[0]) != std::string_view::npos) {
    const bool dashWord = text[0] == '-' && text.size() > 1 && text[1] != ' ' && !text.starts_with("---");
    if (!dashWord) return false;
  }
  if (text.starts_with("...") || text.back() == ':') return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) return false;
  return !inFlow || text.find_first_of(",[]{}") == std::string_view::npos;
}

bool readsAsItself(std::string_view text) {
  return implicitType(text) == ScalarType::String && text != "=" && text != "<<";
}

std::string singleQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

void appendOdd(std::string& out, std::string_view text, std::size_t& i) {
  const auto byte = [&](std::size_t k) {
    return static_cast<unsigned>(static_cast<unsigned char>(text[i + k]));
  };
  if (byte(0) < 0x80) {
    out += text[i] == '\n'   ? "\\n"
           : text[i] == '\t' ? "\\t"
           : text[i] == '\r' ? "\\r"
                             : fmt::format("\\x{:02X}", byte(0));
  } else if (byte(0) == 0xC2) {
    out += fmt::format("\\x{:02X}", byte(1));
    i += 1;
  } else {
    out +=
        fmt::format("\\u{:04X}", ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU));
    i += 2;
  }
}

// Of those that may be odd; 1 for any other byte. What follows a character cut short is no part of it.
std::size_t characterLength(std::string_view rest) {
  const auto lead = static_cast<unsigned char>(rest[0]);
  const std::size_t length = lead == 0xC2U ? 2 : (lead & 0xF0U) == 0xE0U ? 3 : 1;
  if (rest.size() < length) return 1;
  for (std::size_t k = 1; k < length; ++k)
    if ((static_cast<unsigned char>(rest[k]) & 0xC0U) != 0x80U) return 1;
  return length;
}

std::string doubleQuoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t length = characterLength(text.substr(i));
    if (text[i] == '"' || text[i] == '\\')
      out += '\\', out += text[i];
    else if (hasOddCharacters(text.substr(i, length)))
      appendOdd(out, text, i);
    else
      out += text[i];
  }
  return out + "\"";
}

std::string pad(std::size_t columns) {
  return std::string(columns, ' ');
}

std::string keyText(const std::string& key, bool inFlow) {
  return scalarText(key, {ScalarStyle::Plain, inFlow, false});
}

bool isScalar(const NewValue& value) {
  return value.kind == NewValue::Kind::Scalar;
}
bool isEmpty(const NewValue& value) {
  return value.kind == NewValue::Kind::Mapping ? value.entries.empty() : value.items.empty();
}

std::string blockLines(const NewValue& value, const BlockLayout& layout) {
  std::string out;
  for (const auto& [key, child] : value.entries) {
    if (!out.empty()) out += layout.lineBreak;
    out += blockEntry(key, child, layout);
  }
  for (const NewValue& item : value.items) {
    if (!out.empty()) out += layout.lineBreak;
    out += blockItem(item, layout);
  }
  return out;
}

}  // namespace

NewValue NewValue::text(std::string value, bool bare) {
  return {Kind::Scalar, std::move(value), bare, {}, {}};
}
NewValue NewValue::mapping(std::vector<NewEntry> entries) {
  return {Kind::Mapping, {}, false, std::move(entries), {}};
}
NewValue NewValue::sequence(std::vector<NewValue> items) {
  return {Kind::Sequence, {}, false, {}, std::move(items)};
}

std::string scalarText(std::string_view value, const ScalarWriting& how) {
  const bool bareWanted = how.bare || (how.style == ScalarStyle::Plain && readsAsItself(value));
  if (bareWanted && canStandBare(value, how.inFlow)) return std::string(value);
  if (how.style == ScalarStyle::SingleQuoted && !hasOddCharacters(value)) return singleQuoted(value);
  return doubleQuoted(value);
}

std::string flowText(const NewValue& value) {
  if (isScalar(value)) return scalarText(value.scalar, {ScalarStyle::Plain, true, value.bare});
  std::string out;
  for (const auto& [key, child] : value.entries) out += (out.empty() ? "" : ", ") + flowEntry(key, child);
  for (const NewValue& item : value.items) out += (out.empty() ? "" : ", ") + flowText(item);
  return value.kind == NewValue::Kind::Mapping ? "{" + out + "}" : "[" + out + "]";
}

std::string flowEntry(const std::string& key, const NewValue& value) {
  return keyText(key, true) + ": " + flowText(value);
}

std::string blockEntry(const std::string& key, const NewValue& value, const BlockLayout& layout) {
  const std::string head = pad(layout.indent) + keyText(key, false) + ":";
  if (isScalar(value)) return head + " " + scalarText(value.scalar, {ScalarStyle::Plain, false, value.bare});
  if (isEmpty(value)) return head + " " + flowText(value);
  BlockLayout inner = layout;
  inner.indent += layout.step;
  return head + layout.lineBreak + blockLines(value, inner);
}

std::string blockItem(const NewValue& value, const BlockLayout& layout) {
  const std::string head = pad(layout.indent) + "- ";
  if (isScalar(value)) return head + scalarText(value.scalar, {ScalarStyle::Plain, false, value.bare});
  if (isEmpty(value)) return head + flowText(value);
  BlockLayout inner = layout;
  inner.indent += 2;
  return head + blockLines(value, inner).substr(inner.indent);
}

}  // namespace lockstep
