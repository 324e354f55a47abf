// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/python_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {
namespace {

struct Range {
  std::uint32_t first, last;
};

// Characters that Python's str.isprintable() refuses: controls, formats, separators other than the blank,
// private use.
constexpr std::array<Range, 22> kUnprintable{
    {{0x00, 0x1F},       {0x7F, 0xA0},       {0xAD, 0xAD},     {0x600, 0x605},     {0x61C, 0x61C},
     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x8E2, 0x8E2},   {0x1680, 0x1680},   {0x180E, 0x180E},
     {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F}, {0x3000, 0x3000},   {0xD800, 0xF8FF},
     {0xFEFF, 0xFEFF},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF}, {0x110BD, 0x110BD}, {0x1D173, 0x1D17A},
     {0xE0000, 0xE00FF}, {0xE01F0, 0x10FFFF}}};

bool isPrintable(std::uint32_t c) {
  return std::none_of(kUnprintable.begin(), kUnprintable.end(),
                      [c](const Range& r) { return c >= r.first && c <= r.last; });
}

/// The code point at `at` of well-formed UTF-8, and its length.
std::pair<std::uint32_t, std::size_t> codePointAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i]));
  };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 1 || at + length > text.size()) return {lead, 1};
  std::uint32_t c = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) c = (c << 6U) | (byte(i) & 0x3FU);
  return {c, length};
}

void appendEscaped(std::string& out, std::uint32_t c, std::string_view bytes, char quote) {
  if (c == static_cast<std::uint32_t>(quote) || c == '\\') {
    out += '\\';
    out += static_cast<char>(c);
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (isPrintable(c)) {
    out += bytes;
  } else {
    out += c <= 0xFF     ? fmt::format("\\x{:02x}", c)
           : c <= 0xFFFF ? fmt::format("\\u{:04x}", c)
                         : fmt::format("\\U{:08x}", c);
  }
}

std::string reprOf(const YamlTree& tree, NodeId id);

std::string sequenceText(const YamlTree& tree, const YamlNode& node) {
  std::string out = "[";
  for (const NodeId item : node.children) {
    if (out.size() > 1) out += ", ";
    out += reprOf(tree, item);
  }
  return out + "]";
}

std::string mappingText(const YamlTree& tree, NodeId id) {
  std::string out = "{";
  for (const auto& [key, value] : tree.pairsOf(id)) {
    if (out.size() > 1) out += ", ";
    out += reprOf(tree, key) + ": " + reprOf(tree, value);
  }
  return out + "}";
}

std::string reprOf(const YamlTree& tree, NodeId id) {
  id = tree.resolved(id);
  const YamlNode& node = tree.node(id);
  if (node.kind == NodeKind::Sequence) return sequenceText(tree, node);
  if (node.kind == NodeKind::Mapping) return mappingText(tree, id);
  return resolveScalar(node).repr();
}

}  // namespace

std::string pythonRepr(std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos;
  const bool twice = text.find('"') != std::string_view::npos;
  const char quote = single && !twice ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t i = 0; i < text.size();) {
    const auto [c, length] = codePointAt(text, i);
    appendEscaped(out, c, text.substr(i, length), quote);
    i += length;
  }
  return out + quote;
}

std::string pythonStr(const YamlTree& tree, NodeId id) {
  const YamlNode& node = tree.node(tree.resolved(id));
  return node.kind == NodeKind::Scalar ? resolveScalar(node).text : reprOf(tree, id);
}

}  // namespace lockstep
