// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/config_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cluster/yaml_tree.h"

namespace lockstep::trainer {
namespace {

[[noreturn]] void refuse(const std::string& text, std::size_t at, const std::string& why) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw CLI::ConfigError(fmt::format("--config: line {}: {}", line, why), CLI::ExitCodes::ConfigError);
}

}  // namespace

std::string YamlConfig::to_config(const CLI::App*, bool, bool, std::string) const {
  return {};  // nothing here writes a configuration
}

std::vector<CLI::ConfigItem> YamlConfig::from_config(std::istream& input) const {
  const std::string text{std::istreambuf_iterator<char>(input), {}};
  const auto tree = YamlTree::parse(text);
  if (!tree)
    throw CLI::ConfigError("--config: no YAML: " + tree.error().message, CLI::ExitCodes::ConfigError);
  if (!tree->root()) return {};
  if (tree->node(*tree->root()).kind != NodeKind::Mapping)
    refuse(text, tree->node(*tree->root()).begin, "a mapping of option names to values is wanted");
  std::vector<CLI::ConfigItem> found;
  for (const auto& [key, valueId] : tree->pairsOf(*tree->root())) {
    const YamlNode& value = tree->node(tree->resolved(valueId));
    CLI::ConfigItem item;
    item.name = tree->node(tree->resolved(key)).value;
    std::ranges::replace(item.name, '_', '-');
    std::vector<NodeId> parts{tree->resolved(valueId)};
    if (value.kind == NodeKind::Sequence) parts.assign(value.children.begin(), value.children.end());
    for (const NodeId part : parts) {
      const YamlNode& node = tree->node(tree->resolved(part));
      if (node.kind != NodeKind::Scalar)
        refuse(text, node.begin, fmt::format("'{}' wants a plain value", item.name));
      item.inputs.push_back(node.value);
    }
    found.push_back(std::move(item));
  }
  return found;
}

}  // namespace lockstep::trainer
