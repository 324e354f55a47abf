// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

// Where things of a YAML text stand on the page; what the editor needs beyond the nodes.

/// After anchor and tag of a node.
[[nodiscard]] std::size_t contentBegin(std::string_view text, const YamlNode& node);
/// Characters before `offset` on its line.
[[nodiscard]] std::size_t columnOf(std::string_view text, std::size_t offset);
/// Whether only blanks stand before `offset` on its line.
[[nodiscard]] bool isFirstOnLine(std::string_view text, std::size_t offset);
/// The dash of a block sequence's item.
[[nodiscard]] std::size_t dashOf(std::string_view text, const YamlNode& item);
/// After the colon that follows a key; the key's end when there is none (`{key}`).
[[nodiscard]] std::size_t afterColon(std::string_view text, const YamlNode& key);
/// The end of the line on which a value ends; the end of a block scalar that keeps its blank lines.
[[nodiscard]] std::size_t endOfLines(std::string_view text, std::size_t valueEnd);
[[nodiscard]] std::string lineBreakOf(std::string_view text);
/// Columns by which this document indents.
[[nodiscard]] std::size_t indentStep(std::string_view text, const YamlTree& tree);

}  // namespace lockstep
