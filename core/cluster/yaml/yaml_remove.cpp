// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "cluster/yaml/text_index.h"
#include "cluster/yaml/yaml_edit.h"
#include "cluster/yaml/yaml_layout.h"

namespace lockstep {
namespace {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

tl::unexpected<Error> refused(const FieldPath& path, std::string cause) {
  return failure(ErrorCode::FailedPrecondition, fmt::format("cannot remove {}", path.toString()),
                 std::move(cause), "change it in the text", path.toString());
}

TextEdit cut(const std::string& text, Span span, std::string instead = {}) {
  return {span.begin, text.substr(span.begin, span.end - span.begin), std::move(instead)};
}

/// Removes one part (an entry of a mapping, an item of a list) of a collection.
class Remover {
 public:
  Remover(const YamlText& yaml, NodeId collection, std::size_t part)
      : text_(yaml.text), tree_(yaml.tree), node_(yaml.tree.node(collection)), part_(part) {}

  /// `owner`: the key of the collection in the mapping above, if it stands in one; `inList`: it is an item of
  /// a list.
  TextEdit edit(std::optional<NodeId> owner, bool inList) const {
    if (node_.flow) return cut(text_, flowSpan());
    if (count() == 1) return emptied(owner, inList);
    return cut(text_, blockSpan());
  }

 private:
  [[nodiscard]] std::size_t stride() const { return node_.kind == NodeKind::Mapping ? 2 : 1; }
  [[nodiscard]] std::size_t count() const { return node_.children.size() / stride(); }

  /// Key and value, or dash and item.
  [[nodiscard]] Span spanOf(std::size_t part) const {
    const YamlNode& first = tree_.node(node_.children[part * stride()]);
    const YamlNode& last = tree_.node(node_.children[part * stride() + stride() - 1]);
    if (node_.kind == NodeKind::Sequence) return {node_.flow ? first.begin : dashOf(text_, first), last.end};
    const bool empty = last.begin == last.end;  // its place may be that of the next token
    return {first.begin, empty ? afterColon(text_, first) : last.end};
  }

  [[nodiscard]] Span flowSpan() const {
    const Span own = spanOf(part_);
    if (part_ + 1 < count()) return {own.begin, spanOf(part_ + 1).begin};
    if (part_ > 0) return {spanOf(part_ - 1).end, own.end};
    return own;
  }

  [[nodiscard]] Span blockSpan() const {
    const Span own = spanOf(part_);
    // The first of several may share its line with a dash, `- name: X`; a later one only with a `?`, which
    // goes, too.
    if (part_ == 0 && !isFirstOnLine(text_, own.begin)) return {own.begin, spanOf(1).begin};
    const std::size_t end = endOfLines(text_, own.end);
    const std::size_t begin = lineBegin(text_, own.begin);
    const std::size_t after = end > own.begin && text_[end - 1] == '\n' ? end : afterLineBreak(text_, end);
    if (after != end || begin == 0 || text_[end - 1] == '\n') return {begin, after};
    const std::size_t lineBreak = begin >= 2 && text_[begin - 2] == '\r' && text_[begin - 1] == '\n' ? 2 : 1;
    return {begin - lineBreak, end};  // the last line, without a break of its own
  }

  /// Its only part goes: the collection stays, as `{}` or `[]` after its key.
  [[nodiscard]] TextEdit emptied(std::optional<NodeId> owner, bool inList) const {
    const std::string brackets = node_.kind == NodeKind::Mapping ? "{}" : "[]";
    const Span own = spanOf(0);
    std::size_t end = endOfLines(text_, own.end);
    if (end > own.begin && text_[end - 1] == '\n') end -= lineBreakOf(text_).size();
    std::size_t begin = own.begin;
    if (node_.begin < own.begin)
      begin = contentBegin(text_, node_) == own.begin ? wordEnd(own.begin) : own.begin;
    else if (owner)
      begin = afterColon(text_, tree_.node(*owner));
    else if (inList)
      begin = dashOf(text_, node_) + 1;
    if (begin == own.begin) return cut(text_, {begin, end}, brackets);
    std::string between =
        text_.substr(begin, lineBegin(text_, own.begin) > begin ? lineBegin(text_, own.begin) - begin : 0);
    while (!between.empty() && (between.back() == '\n' || between.back() == '\r')) between.pop_back();
    return cut(text_, {begin, end}, " " + brackets + between);
  }

  /// After the anchor or tag before `offset`.
  [[nodiscard]] std::size_t wordEnd(std::size_t offset) const {
    while (offset > 0 && std::string_view(" \r\n\t").find(text_[offset - 1]) != std::string_view::npos)
      --offset;
    return offset;
  }

  const std::string& text_;
  const YamlTree& tree_;
  const YamlNode& node_;
  std::size_t part_;
};

struct Target {
  NodeId collection = 0;
  std::size_t part = 0;
  std::optional<NodeId> owner;
  bool inList = false;
};

Result<Target> locate(const YamlTree& tree, const FieldPath& path) {
  if (path.empty() || !tree.root() || !tree.find(path))
    return failure(ErrorCode::NotFound, fmt::format("cannot remove {}", path.toString()),
                   "there is no such value", "", path.toString());
  Target target;
  NodeId at = *tree.root();
  for (const FieldPath::Element& element : path.elements()) {
    const YamlNode& node = tree.node(at);
    if (node.kind == NodeKind::Alias)
      return refused(path, "its value comes through an alias, which other places share");
    target.owner = at == *tree.root() ? std::nullopt : target.owner;
    const NodeId collection = at;
    std::optional<NodeId> key;
    std::size_t part = 0;
    if (const auto* name = std::get_if<std::string>(&element)) {
      const auto entry = tree.entryOf(at, *name);
      if (!entry) return refused(path, "its value comes through a merge, which other places share");
      key = node.children[*entry];
      part = *entry / 2;
      at = node.children[*entry + 1];
    } else {
      part = std::get<std::size_t>(element);
      at = node.children[part];
    }
    // Owner and inList describe the collection, so they lag one step behind.
    Target next{collection, part, target.owner, target.inList};
    const bool isLast = &element == &path.elements().back();
    if (isLast) return next;
    target.owner = key;
    target.inList = !key;
  }
  return target;
}

bool sameNode(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.value == b.value;
}

/// The nodes that remain are the ones before and after the removed run.
bool onlyRemoved(const YamlTree& before, const YamlTree& after, std::size_t removed) {
  if (after.size() + removed != before.size()) return false;
  std::size_t front = 0;
  while (front < after.size() && sameNode(before.node(front), after.node(front))) ++front;
  std::size_t back = 0;
  while (back < after.size() - front &&
         sameNode(before.node(before.size() - 1 - back), after.node(after.size() - 1 - back)))
    ++back;
  return front + back == after.size();
}

std::size_t nodesBelow(const YamlTree& tree, NodeId id) {
  std::size_t count = 1;
  for (const NodeId child : tree.node(id).children) count += nodesBelow(tree, child);
  return count;
}

}  // namespace

Result<VerifiedEdit> removeEdit(const YamlText& yaml, const FieldPath& path) {
  const auto target = locate(yaml.tree, path);
  if (!target) return tl::unexpected(target.error());
  const YamlNode& collection = yaml.tree.node(target->collection);
  const TextEdit edit = Remover(yaml, target->collection, target->part).edit(target->owner, target->inList);
  const auto after = treeAfter(yaml, edit);
  if (!after) return refused(path, "the text would not be YAML any more: " + after.error().message);
  const std::size_t stride = collection.kind == NodeKind::Mapping ? 2 : 1;
  std::size_t removed = 0;
  for (std::size_t i = 0; i < stride; ++i)
    removed += nodesBelow(yaml.tree, collection.children[target->part * stride + i]);
  if (!onlyRemoved(yaml.tree, **after, removed)) return refused(path, "other values would change too");
  return VerifiedEdit{edit, *after};
}

}  // namespace lockstep
