// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/yaml_edit.h"

#include <fmt/format.h>

#include <algorithm>

#include "cluster/yaml/text_index.h"
#include "cluster/yaml/yaml_layout.h"
#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {
namespace {

using Element = FieldPath::Element;

tl::unexpected<Error> refused(const FieldPath& path, std::string cause, std::string remedy = {}) {
  return failure(ErrorCode::FailedPrecondition, fmt::format("cannot change {}", path.toString()),
                 std::move(cause), std::move(remedy), path.toString());
}

tl::unexpected<Error> shared(const FieldPath& path) {
  return refused(path, "its value comes through an alias or a merge, which other places share",
                 "change it in the text, where its anchor stands");
}

/// Where a path ends in the document: at a node, or at the last node above that exists.
struct Found {
  NodeId node = 0;
  std::optional<NodeId> key;  // of the node, in a mapping
  bool inFlow = false;
  std::size_t depth = 0;  // how many elements of the path exist
};

/// Steps into own children only: what is reached through an alias or a merge belongs to other places as well.
Result<Found> locate(const YamlTree& tree, const FieldPath& path) {
  Found found{*tree.root(), std::nullopt, tree.node(*tree.root()).flow, 0};
  for (const Element& element : path.elements()) {
    const YamlNode& node = tree.node(found.node);
    if (node.kind == NodeKind::Alias) return shared(path);
    const bool last = found.depth + 1 == path.elements().size();
    if (const auto* key = std::get_if<std::string>(&element)) {
      const auto entry = tree.entryOf(found.node, *key);
      if (!entry && tree.valueOf(found.node, *key) && !last) return shared(path);
      if (!entry) return found;
      found.key = node.children[*entry];
      found.inFlow = node.flow;
      found.node = node.children[*entry + 1];
    } else {
      const std::size_t index = std::get<std::size_t>(element);
      if (node.kind != NodeKind::Sequence || index >= node.children.size()) return found;
      found.key.reset();
      found.inFlow = node.flow;
      found.node = node.children[index];
    }
    ++found.depth;
  }
  return found;
}

bool isNullScalar(const YamlNode& node) {
  return node.kind == NodeKind::Scalar && resolveScalar(node).type == ScalarType::Null;
}

TextEdit replacement(const std::string& text, std::size_t begin, std::size_t end, std::string inserted) {
  return {begin, text.substr(begin, end - begin), std::move(inserted)};
}

/// The value as the elements from `from` on nest it.
NewValue nested(const FieldPath& path, std::size_t from, NewValue value) {
  for (std::size_t i = path.elements().size(); i > from; --i) {
    const auto* key = std::get_if<std::string>(&path.elements()[i - 1]);
    value = key ? NewValue::mapping({{*key, std::move(value)}}) : NewValue::sequence({std::move(value)});
  }
  return value;
}

/// Lines of a value that nested() made: one entry or one item.
std::string blockOf(const NewValue& value, const BlockLayout& layout) {
  if (value.kind == NewValue::Kind::Sequence) return blockItem(value.items[0], layout);
  return blockEntry(value.entries[0].key, value.entries[0].value, layout);
}

/// An empty value stands on no byte: what to put before a value that goes there.
std::string leadToEmpty(const std::string& text, const Found& found, const YamlTree& tree, std::size_t at) {
  const bool hasColon = !found.key || afterColon(text, tree.node(*found.key)) != tree.node(*found.key).end;
  if (!hasColon) return ": ";
  return at > 0 && (text[at - 1] == ' ' || text[at - 1] == '[') ? "" : " ";
}

class Editor {
 public:
  Editor(const YamlText& yaml, const FieldPath& path) : text_(yaml.text), tree_(yaml.tree), path_(path) {}

  Result<TextEdit> insert(const Found& found, const NewValue& value) const {
    const Element& element = path_.elements()[found.depth];
    const NewValue child = nested(path_, found.depth + 1, value);
    const YamlNode& node = tree_.node(found.node);
    if (node.kind == NodeKind::Alias) return shared(path_);
    if (isNullScalar(node) && found.depth == 0 && node.value.empty()) return insertIntoEmptyDocument(value);
    if (isNullScalar(node)) return intoNull(found, nested(path_, found.depth, value));
    if (const auto* key = std::get_if<std::string>(&element)) {
      if (node.kind != NodeKind::Mapping) return notA(found, "a mapping");
      return node.flow ? intoFlow(node, flowEntry(*key, child))
                       : intoBlock(node, blockEntry(*key, child, layoutOf(node)));
    }
    if (node.kind != NodeKind::Sequence) return notA(found, "a list");
    if (std::get<std::size_t>(element) != node.children.size())
      return refused(path_, fmt::format("the list has {} items", node.children.size()), "append to its end");
    if (node.flow) return intoFlow(node, flowText(child));
    return intoBlock(node, likeLastItem(node, child));
  }

  TextEdit insertIntoEmptyDocument(const NewValue& value) const {
    const std::string lineBreak = lineBreakOf(text_);
    const std::string lines = blockOf(nested(path_, 0, value), {0, 2, lineBreak});
    const bool freshLine = text_.empty() || text_.back() == '\n' || text_ == "\xEF\xBB\xBF";
    return {text_.size(), "", (freshLine ? "" : lineBreak) + lines + lineBreak};
  }

 private:
  Result<TextEdit> notA(const Found& found, const char* wanted) const {
    FieldPath above;
    for (std::size_t i = 0; i < found.depth; ++i) {
      if (const auto* key = std::get_if<std::string>(&path_.elements()[i]))
        above = above.child(*key);
      else
        above = above.child(std::get<std::size_t>(path_.elements()[i]));
    }
    return refused(path_,
                   fmt::format("{} is not {}", above.empty() ? "the document" : above.toString(), wanted),
                   "fix that part in the text first");
  }

  BlockLayout layoutOf(const YamlNode& collection) const {
    const YamlNode& first = tree_.node(collection.children[0]);
    const std::size_t at = collection.kind == NodeKind::Mapping ? first.begin : dashOf(text_, first);
    return {columnOf(text_, at), indentStep(text_, tree_), lineBreakOf(text_)};
  }

  /// A new item of a list looks like the one before it.
  std::string likeLastItem(const YamlNode& sequence, const NewValue& item) const {
    const BlockLayout layout = layoutOf(sequence);
    if (!tree_.node(sequence.children.back()).flow) return blockItem(item, layout);
    return std::string(layout.indent, ' ') + "- " + flowText(item);
  }

  TextEdit intoBlock(const YamlNode& collection, const std::string& lines) const {
    const std::size_t at = endOfLines(text_, collection.end);
    const std::string lineBreak = lineBreakOf(text_);
    const bool freshLine = at > 0 && text_[at - 1] == '\n' && at == collection.end;
    return {at, "", freshLine ? lines + lineBreak : lineBreak + lines};
  }

  TextEdit intoFlow(const YamlNode& collection, const std::string& entry) const {
    if (collection.children.empty()) return {contentBegin(text_, collection) + 1, "", entry};
    return {tree_.node(collection.children.back()).end, "", ", " + entry};
  }

  Result<TextEdit> intoNull(const Found& found, const NewValue& value) const {
    const YamlNode& node = tree_.node(found.node);
    const std::size_t begin = contentBegin(text_, node);
    if (!node.value.empty() || node.style != ScalarStyle::Plain)  // `~`, `null`
      return replacement(text_, begin, node.end, flowText(value));
    if (found.inFlow)
      return TextEdit{node.end, "", leadToEmpty(text_, found, tree_, node.end) + flowText(value)};
    BlockLayout layout{0, indentStep(text_, tree_), lineBreakOf(text_)};
    const std::size_t parent =
        found.key ? columnOf(text_, tree_.node(*found.key).begin) : columnOf(text_, dashOf(text_, node));
    layout.indent = parent + layout.step;
    return TextEdit{lineEnd(text_, node.end), "", layout.lineBreak + blockOf(value, layout)};
  }

  const std::string& text_;
  const YamlTree& tree_;
  const FieldPath& path_;
};

/// Whether a number or boolean that stood bare may go on doing so.
bool staysBare(const YamlNode& old, std::string_view value) {
  if (!old.resolvesType) return false;
  const ScalarType type = implicitType(value);
  return type != ScalarType::String && type == implicitType(old.value) && resolvePlain(value).text == value;
}

Result<TextEdit> replaceScalar(const YamlText& yaml, const FieldPath& path, const Found& found,
                               std::string_view value, bool plain) {
  const YamlNode& node = yaml.tree.node(found.node);
  ScalarWriting how{ScalarStyle::Plain, found.inFlow, plain};
  if (node.kind == NodeKind::Alias)
    return replacement(yaml.text, node.begin, node.end, scalarText(value, how));
  if (node.kind != NodeKind::Scalar)
    return refused(path, node.kind == NodeKind::Mapping ? "it is a mapping" : "it is a list",
                   "remove it first, or change its parts");
  const bool quoted = node.style == ScalarStyle::SingleQuoted || node.style == ScalarStyle::DoubleQuoted;
  if (quoted && !plain) how.style = node.style;
  if (!plain && staysBare(node, value)) how.bare = true;
  const std::string written = scalarText(value, how);
  const std::size_t begin = node.tag.empty() ? contentBegin(yaml.text, node) : node.begin;
  if (begin == node.end) {
    // `key:` ends with its colon; within brackets libyaml puts the empty value at the next token, so go back
    // to it.
    const bool afterKey = found.key && node.begin == node.end;
    const std::size_t at = afterKey ? afterColon(yaml.text, yaml.tree.node(*found.key)) : node.end;
    return TextEdit{at, "", (at == node.end ? leadToEmpty(yaml.text, found, yaml.tree, at) : " ") + written};
  }
  // A block scalar that keeps its blank lines ends after them; they, and the line's own break, stay.
  const std::size_t last = yaml.text.find_last_not_of("\r\n", node.end - 1);
  return replacement(yaml.text, begin, std::max(begin, last + 1), written);
}

bool sameNode(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.value == b.value;
}

/// Outside one run of nodes, and the one node around it, nothing may differ.
bool onlyOnePartDiffers(const YamlTree& before, const YamlTree& after) {
  const std::size_t min = std::min(before.size(), after.size());
  std::size_t front = 0;
  while (front < min && sameNode(before.node(front), after.node(front))) ++front;
  std::size_t back = 0;
  while (back < min - front &&
         sameNode(before.node(before.size() - 1 - back), after.node(after.size() - 1 - back)))
    ++back;
  return front + back + 1 >= min;
}

Result<VerifiedEdit> checkedEdit(const YamlText& yaml, const FieldPath& path, TextEdit edit) {
  auto after = treeAfter(yaml, edit);
  if (!after)
    return refused(path, "the text would not be YAML any more: " + after.error().message,
                   "change it in the text");
  if (!onlyOnePartDiffers(yaml.tree, **after))
    return refused(path, "other values would change too", "change it in the text");
  return VerifiedEdit{std::move(edit), std::move(*after)};
}

Result<VerifiedEdit> checkedSet(const YamlText& yaml, const FieldPath& path, std::string_view value,
                                TextEdit edit) {
  auto checked = checkedEdit(yaml, path, std::move(edit));
  if (!checked) return checked;
  const YamlTree& after = *checked->tree;
  const auto node = after.find(path);
  if (!node || after.node(after.resolved(*node)).value != value)
    return refused(path, "the text around it is written in a way that this cannot edit",
                   "change it in the text");
  return checked;
}

}  // namespace

tl::expected<std::shared_ptr<const YamlTree>, Issue> treeAfter(const YamlText& yaml, const TextEdit& edit) {
  if (auto quick = yaml.tree.withEditedScalar(yaml.text, edit))
    return std::make_shared<const YamlTree>(std::move(*quick));
  return YamlTree::parse(applyEdit(yaml.text, edit)).map([](YamlTree&& tree) {
    return std::make_shared<const YamlTree>(std::move(tree));
  });
}

Result<VerifiedEdit> setScalarEdit(const YamlText& yaml, const FieldPath& path, std::string_view value,
                                   bool plain) {
  if (path.empty()) return refused(path, "the path is empty");
  const NewValue text = NewValue::text(std::string(value), plain);
  const Editor editor(yaml, path);
  if (!yaml.tree.root()) return checkedSet(yaml, path, value, editor.insertIntoEmptyDocument(text));
  const auto found = locate(yaml.tree, path);
  if (!found) return tl::unexpected(found.error());
  const bool exists = found->depth == path.elements().size();
  auto edit = exists ? replaceScalar(yaml, path, *found, value, plain) : editor.insert(*found, text);
  if (!edit) return tl::unexpected(std::move(edit.error()));
  return checkedSet(yaml, path, value, std::move(*edit));
}

Result<VerifiedEdit> appendEdit(const YamlText& yaml, const FieldPath& path, const NewValue& item) {
  const auto node = yaml.tree.find(path);
  const std::size_t count = node ? yaml.tree.node(yaml.tree.resolved(*node)).children.size() : 0;
  const FieldPath at = path.child(count);
  const Editor editor(yaml, at);
  if (!yaml.tree.root()) return checkedEdit(yaml, at, editor.insertIntoEmptyDocument(item));
  const auto found = locate(yaml.tree, at);
  if (!found) return tl::unexpected(found.error());
  auto edit = editor.insert(*found, item);
  if (!edit) return tl::unexpected(std::move(edit.error()));
  auto checked = checkedEdit(yaml, at, std::move(*edit));
  if (checked && !checked->tree->find(at))
    return refused(at, "the text around it is written in a way that this cannot edit");
  return checked;
}

}  // namespace lockstep
