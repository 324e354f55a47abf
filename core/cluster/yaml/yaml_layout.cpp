// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/yaml_layout.h"

#include "cluster/yaml/text_index.h"

namespace lockstep {

std::size_t contentBegin(std::string_view text, const YamlNode& node) {
  std::size_t at = node.begin;
  while (at < node.end && (text[at] == '&' || text[at] == '!')) {
    at = std::min(text.find_first_of(" \t\r\n", at), node.end);
    const std::size_t word = at;
    at = std::min(text.find_first_not_of(" \t\r\n", at), node.end);
    if (at == node.end) return word;
    while (at < node.end && text[at] == '#')
      at = std::min(text.find_first_not_of(" \t\r\n", lineEnd(text, at)), node.end);
  }
  return at;
}

std::size_t columnOf(std::string_view text, std::size_t offset) {
  const std::size_t begin = lineBegin(text, offset);
  return characterCount(text.substr(begin, offset - begin));
}

bool isFirstOnLine(std::string_view text, std::size_t offset) {
  const std::size_t begin = lineBegin(text, offset);
  return text.substr(begin, offset - begin).find_first_not_of(' ') == std::string_view::npos;
}

std::size_t dashOf(std::string_view text, const YamlNode& item) {
  std::size_t end = item.begin;
  while (true) {  // back over blanks; a line above that is a comment is skipped as a whole
    const std::size_t begin = lineBegin(text, end);
    std::string_view line = text.substr(begin, end - begin);
    if (const std::size_t comment = line.find('#'); comment != std::string_view::npos)
      line = line.substr(0, comment);
    const std::size_t last = line.find_last_not_of(" \t");
    if (last != std::string_view::npos) return begin + last;
    if (begin == 0) return item.begin;
    end = begin - 1;
    if (end > 0 && text[end] == '\n' && text[end - 1] == '\r') --end;
  }
}

std::size_t afterColon(std::string_view text, const YamlNode& key) {
  const std::size_t at = text.find_first_not_of(" \t\r\n", key.end);
  return at != std::string_view::npos && text[at] == ':' ? at + 1 : key.end;
}

std::size_t endOfLines(std::string_view text, std::size_t valueEnd) {
  if (valueEnd > 0 && valueEnd <= text.size() && text[valueEnd - 1] == '\n') return valueEnd;
  return lineEnd(text, valueEnd);
}

std::string lineBreakOf(std::string_view text) {
  const std::size_t at = text.find_first_of("\r\n");
  if (at == std::string_view::npos || text[at] == '\n') return "\n";
  return at + 1 < text.size() && text[at + 1] == '\n' ? "\r\n" : "\r";
}

std::size_t indentStep(std::string_view text, const YamlTree& tree) {
  for (NodeId id = 0; id < tree.size(); ++id) {
    const YamlNode& outer = tree.node(id);
    if (outer.kind != NodeKind::Mapping || outer.flow) continue;
    for (std::size_t i = 1; i < outer.children.size(); i += 2) {
      const YamlNode& inner = tree.node(outer.children[i]);
      if (inner.kind != NodeKind::Mapping || inner.flow || inner.children.empty()) continue;
      const std::size_t a = columnOf(text, tree.node(outer.children[i - 1]).begin);
      const std::size_t b = columnOf(text, tree.node(inner.children[0]).begin);
      if (b > a) return b - a;
    }
  }
  return 2;
}

}  // namespace lockstep
