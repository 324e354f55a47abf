// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "cluster/yaml/yaml_edit.h"
#include "cluster/yaml/yaml_layout.h"

namespace lockstep {
namespace {

tl::unexpected<Error> refused(const FieldPath& path, std::string cause, std::string remedy) {
  return failure(ErrorCode::FailedPrecondition, fmt::format("cannot rename {}", path.toString()),
                 std::move(cause), std::move(remedy), path.toString());
}

struct KeyPlace {
  NodeId key = 0;
  bool inFlow = false;
};

/// Through own children only: what is reached through an alias or a merge belongs to other places as well.
Result<KeyPlace> locateKey(const YamlTree& tree, const FieldPath& path, std::string_view newName) {
  constexpr const char* kInText = "change it in the text, where its anchor stands";
  if (path.empty() || !std::holds_alternative<std::string>(path.elements().back()))
    return refused(path, "it is no key of a mapping", "name a key");
  if (!tree.find(path))
    return failure(ErrorCode::NotFound, fmt::format("cannot rename {}", path.toString()),
                   "there is no such key", "", path.toString());
  KeyPlace place;
  NodeId at = *tree.root();
  for (const FieldPath::Element& element : path.elements()) {
    const YamlNode& node = tree.node(at);
    if (node.kind == NodeKind::Alias)
      return refused(path, "it stands behind an alias, which other places share", kInText);
    if (const auto* key = std::get_if<std::string>(&element)) {
      const auto entry = tree.entryOf(at, *key);
      if (!entry) return refused(path, "it comes through a merge, which other places share", kInText);
      place = {node.children[*entry], node.flow};
      const bool last = &element == &path.elements().back();
      if (last && newName != *key && tree.valueOf(at, newName))
        return refused(path, fmt::format("there is a key '{}' beside it already", newName),
                       "remove one of the two");
      at = node.children[*entry + 1];
    } else {
      at = node.children[std::get<std::size_t>(element)];
    }
  }
  return place;
}

bool hasAliases(const YamlTree& tree, NodeId target) {
  for (NodeId id = target; id < tree.size(); ++id)
    if (tree.node(id).kind == NodeKind::Alias && tree.node(id).target == target) return true;
  return false;
}

bool sameNode(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.value == b.value && a.tag == b.tag && a.resolvesType == b.resolvesType &&
         a.children == b.children && a.target == b.target;
}

/// No node but the key may differ.
bool onlyKeyDiffers(const YamlTree& before, const YamlTree& after, NodeId key) {
  if (before.size() != after.size()) return false;
  for (NodeId id = 0; id < before.size(); ++id)
    if (id != key && !sameNode(before.node(id), after.node(id))) return false;
  return true;
}

}  // namespace

Result<VerifiedEdit> renameKeyEdit(const YamlText& yaml, const FieldPath& path, std::string_view newName) {
  const auto place = locateKey(yaml.tree, path, newName);
  if (!place) return tl::unexpected(place.error());
  const YamlNode& key = yaml.tree.node(place->key);
  if (key.kind == NodeKind::Alias || hasAliases(yaml.tree, place->key))
    return refused(path, "other places share the key through an alias", "change it in the text");
  const std::size_t begin = contentBegin(yaml.text, key);
  const std::string old = yaml.text.substr(begin, key.end - begin);
  const bool quoted = key.style == ScalarStyle::SingleQuoted || key.style == ScalarStyle::DoubleQuoted;
  ScalarWriting how{quoted ? key.style : ScalarStyle::Plain, place->inFlow, false};
  const TextEdit edit{begin, old, scalarText(newName, how)};
  const auto after = treeAfter(yaml, edit);
  if (!after)
    return refused(path, "the text would not be YAML any more: " + after.error().message,
                   "change it in the text");
  const YamlNode& renamed = (*after)->node(std::min(place->key, (*after)->size() - 1));
  if (!onlyKeyDiffers(yaml.tree, **after, place->key) || renamed.value != newName)
    return refused(path, "other values would change too", "change it in the text");
  return VerifiedEdit{edit, *after};
}

}  // namespace lockstep
