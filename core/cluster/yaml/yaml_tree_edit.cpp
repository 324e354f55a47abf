// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "cluster/yaml/yaml_layout.h"
#include "cluster/yaml/yaml_tree.h"

namespace lockstep {
namespace {

bool isOneLineStyle(ScalarStyle style) {
  return style == ScalarStyle::Plain || style == ScalarStyle::SingleQuoted ||
         style == ScalarStyle::DoubleQuoted;
}

/// YAML 1.1 counts U+0085, U+2028 and U+2029 as line breaks.
bool hasLineBreak(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || text[i] == '\r') return true;
    if (text[i] == '\xC2' && text.substr(i, 2) == "\xC2\x85") return true;
    if (text[i] == '\xE2' && (text.substr(i, 3) == "\xE2\x80\xA8" || text.substr(i, 3) == "\xE2\x80\xA9"))
      return true;
  }
  return false;
}

/// Whether nothing but what may follow any scalar follows this one on its line.
bool endsCleanly(std::string_view text, std::size_t end, bool inFlow) {
  const std::size_t next = text.find_first_not_of(inFlow ? " " : " \t", end);
  if (inFlow)
    return next != std::string_view::npos &&
           std::string_view(",]}").find(text[next]) != std::string_view::npos;
  if (next == std::string_view::npos || text[next] == '\n' || text[next] == '\r') return true;
  return text[next] == '#' && next > end;
}

/// The scalar that `written` is by itself, where another scalar could stand.
std::optional<YamlNode> readAlone(std::string_view written, bool inFlow) {
  const std::string text = inFlow ? "- [" + std::string(written) + "]\n" : "- " + std::string(written) + "\n";
  const std::size_t begin = inFlow ? 3 : 2;
  const std::size_t expected = inFlow ? 3 : 2;  // list, (list,) scalar
  const auto tree = YamlTree::parse(text);
  if (!tree || tree->size() != expected) return std::nullopt;
  const YamlNode& node = tree->node(expected - 1);
  const bool whole =
      node.kind == NodeKind::Scalar && node.begin == begin && node.end == begin + written.size();
  if (!whole || !isOneLineStyle(node.style) || !node.tag.empty() || written[0] == '&' || written[0] == '!')
    return std::nullopt;
  return node;
}

}  // namespace

/// The scalar value around a place, on the way down from the root; nothing when it is (part of) a key, or
/// behind an alias.
std::optional<YamlTree::ValueAt> YamlTree::valueAround(std::size_t begin, std::size_t end) const {
  if (!root_) return std::nullopt;
  ValueAt at{*root_, false};
  while (nodes_[at.id].kind != NodeKind::Scalar) {
    const YamlNode& node = nodes_[at.id];
    if (node.kind == NodeKind::Alias || node.children.empty()) return std::nullopt;
    const auto after =
        std::upper_bound(node.children.begin(), node.children.end(), begin,
                         [&](std::size_t offset, NodeId child) { return offset < nodes_[child].begin; });
    if (after == node.children.begin()) return std::nullopt;
    const auto child = static_cast<std::size_t>(after - node.children.begin()) - 1;
    if (node.kind == NodeKind::Mapping && child % 2 == 0) return std::nullopt;
    at = {node.children[child], node.flow};
  }
  const YamlNode& found = nodes_[at.id];
  if (at.id == *root_ || found.begin == found.end || begin < found.begin || end > found.end)
    return std::nullopt;
  return at;
}

std::optional<YamlTree> YamlTree::withEditedScalar(std::string_view text, const TextEdit& edit,
                                                   const YamlLimits& limits) const {
  const std::size_t editEnd = edit.offset + edit.removed.size();
  const auto at = valueAround(edit.offset, editEnd);
  if (!at || text.size() - edit.removed.size() + edit.inserted.size() > limits.bytes) return std::nullopt;
  const YamlNode& old = nodes_[at->id];
  const std::size_t begin = contentBegin(text, old);
  const std::string_view properties = text.substr(old.begin, begin - old.begin);
  const std::string_view content = text.substr(begin, old.end - begin);
  const bool anchored = properties.starts_with('&') && properties.find('!') == std::string_view::npos;
  if (edit.offset < begin || !isOneLineStyle(old.style) || !old.tag.empty() ||
      !(properties.empty() || anchored) || hasLineBreak(properties) || hasLineBreak(content))
    return std::nullopt;
  // At the beginning of a line even a scalar within brackets may be a document mark or a byte order mark.
  const bool startsLine = begin == 0 || text[begin - 1] == '\n' || text[begin - 1] == '\r';
  if (startsLine || !endsCleanly(text, old.end, at->inFlow)) return std::nullopt;

  const std::string written =
      applyEdit(std::string(content), {edit.offset - begin, edit.removed, edit.inserted});
  if (written.empty() || hasLineBreak(written)) return std::nullopt;
  const auto scalar = readAlone(written, at->inFlow);
  // What follows a plain scalar is read by other rules than what follows a quoted one.
  if (!scalar || (scalar->style == ScalarStyle::Plain) != (old.style == ScalarStyle::Plain))
    return std::nullopt;
  const std::size_t grown =
      scalar->value.size() > old.value.size() ? scalar->value.size() - old.value.size() : 0;
  if (expandedBytes_ + grown * maxCopies_ > limits.expandedBytes) return std::nullopt;
  return withScalar(at->id, *scalar, edit.inserted.size() - edit.removed.size());
}

YamlTree YamlTree::withScalar(NodeId id, const YamlNode& scalar, std::size_t shift) const {
  YamlTree after = *this;
  const std::size_t end = nodes_[id].end;
  for (YamlNode& node : after.nodes_) {
    if (node.begin >= end) node.begin += shift;
    if (node.end >= end) node.end += shift;
  }
  YamlNode& changed = after.nodes_[id];
  if (scalar.value.size() > changed.value.size())
    after.expandedBytes_ += (scalar.value.size() - changed.value.size()) * maxCopies_;
  changed.style = scalar.style;
  changed.resolvesType = scalar.resolvesType;
  changed.value = scalar.value;
  return after;
}

}  // namespace lockstep
