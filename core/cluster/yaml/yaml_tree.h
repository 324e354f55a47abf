// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "base/field_path.h"
#include "base/issue.h"
#include "cluster/yaml/text_edit.h"

namespace lockstep {

enum class NodeKind { Scalar, Sequence, Mapping, Alias };
enum class ScalarStyle { Plain, SingleQuoted, DoubleQuoted, Literal, Folded };

using NodeId = std::size_t;

/// One node of a YAML text, with the bytes it stands on: [begin, end), anchor and tag included, comments and
/// blank lines around it not. An empty value (`key:`) stands on no byte, after its colon or dash.
struct YamlNode {
  NodeKind kind = NodeKind::Scalar;
  ScalarStyle style = ScalarStyle::Plain;
  bool flow = false;          // a collection in brackets
  bool resolvesType = false;  // a scalar whose type its text decides (plain, without a tag)
  bool merges = false;        // a mapping with a `<<`
  std::string tag;            // explicit tag, e.g. "tag:yaml.org,2002:str"; else empty
  std::string value;          // text of a scalar, quotes and escapes removed
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<NodeId> children;  // items of a sequence | key, value, key, value… of a mapping
  NodeId target = 0;             // of an alias
  bool operator==(const YamlNode&) const = default;
};

/// What a text must stay within; more is refused with an issue, whatever it is that is too much.
struct YamlLimits {
  std::size_t bytes = 8U << 20U;
  std::size_t depth = 64;
  std::size_t nodes = 300'000;
  std::size_t expandedBytes = 64U << 20U;  // with every alias written out: alias bombs
};

/// The nodes of one YAML 1.1 document, as PyYAML's parser sees it (libyaml is the same grammar). Immutable.
class YamlTree {
 public:
  /// The issue says why the text is no document: syntax, several documents, a limit. An empty text is a tree
  /// without root.
  static tl::expected<YamlTree, Issue> parse(std::string_view text, const YamlLimits& limits = {});
  /// The tree of the text after `edit`, without reading all of it again: this one is the tree of `text`. Only
  /// for edits within one scalar value that stands on one line, where nothing else can change; nullopt for
  /// all others (which says nothing about whether the text would be YAML).
  [[nodiscard]] std::optional<YamlTree> withEditedScalar(std::string_view text, const TextEdit& edit,
                                                         const YamlLimits& limits = {}) const;

  [[nodiscard]] std::optional<NodeId> root() const { return root_; }
  [[nodiscard]] const YamlNode& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  /// The node itself, or what it stands for when it is an alias.
  [[nodiscard]] NodeId resolved(NodeId id) const {
    return nodes_[id].kind == NodeKind::Alias ? nodes_[id].target : id;
  }

  /// The value of a key, the last one when it is given twice; keys that come in through `<<` count when there
  /// is no own one. nullopt: no such key, or not a mapping. Aliases are followed on the way in, not on the
  /// way out.
  [[nodiscard]] std::optional<NodeId> valueOf(NodeId mapping, std::string_view key) const;
  /// The own entry of a mapping (an index into children, of the key): the last one of that name. `<<` does
  /// not count.
  [[nodiscard]] std::optional<std::size_t> entryOf(NodeId mapping, std::string_view key) const;
  [[nodiscard]] std::optional<NodeId> find(const FieldPath& path) const;
  /// All pairs of a mapping in Python's order, merges applied, each key once with its last value.
  [[nodiscard]] std::vector<std::pair<NodeId, NodeId>> pairsOf(NodeId mapping) const;
  [[nodiscard]] bool isMergeKey(NodeId key) const;
  [[nodiscard]] bool hasSameNodes(const YamlTree& other) const {
    return root_ == other.root_ && nodes_ == other.nodes_;
  }

 private:
  friend class YamlTreeBuilder;
  struct ValueAt {
    NodeId id = 0;
    bool inFlow = false;
  };
  using Entries = std::unordered_map<std::string, std::size_t>;
  static constexpr std::size_t kLargeMapping = 128;  // children, so 64 keys

  [[nodiscard]] std::optional<ValueAt> valueAround(std::size_t begin, std::size_t end) const;
  [[nodiscard]] YamlTree withScalar(NodeId id, const YamlNode& scalar, std::size_t shift) const;
  void collectPairs(NodeId mapping, std::vector<std::pair<NodeId, NodeId>>& pairs) const;
  std::vector<NodeId> mergedMappings(NodeId value) const;  // lowest precedence first

  std::vector<YamlNode> nodes_;
  std::optional<NodeId> root_;
  /// Where the entries of mappings with many keys are, so that looking one up does not walk them all.
  std::unordered_map<NodeId, std::shared_ptr<const Entries>> largeMappings_;
  /// At most so many bytes would all nodes have with every alias written out.
  std::size_t expandedBytes_ = 0;
  std::size_t maxCopies_ = 1;  // of one node then, at most
};

}  // namespace lockstep
