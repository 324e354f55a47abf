// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <unordered_map>

#include "base/text/encoding.h"
#include "cluster/yaml/text_index.h"
#include "cluster/yaml/yaml_tree.h"

namespace lockstep {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string textOf(const yaml_char_t* text) {
  return text ? reinterpret_cast<const char*>(text) : std::string();
}

ScalarStyle styleOf(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
      return ScalarStyle::SingleQuoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      return ScalarStyle::DoubleQuoted;
    case YAML_LITERAL_SCALAR_STYLE:
      return ScalarStyle::Literal;
    case YAML_FOLDED_SCALAR_STYLE:
      return ScalarStyle::Folded;
    default:
      return ScalarStyle::Plain;
  }
}

}  // namespace

/// Turns libyaml's events into nodes, within the limits.
class YamlTreeBuilder {
 public:
  YamlTreeBuilder(std::string_view text, const YamlLimits& limits)
      : text_(text), limits_(limits), index_(text) {}

  tl::expected<YamlTree, Issue> build() {
    if (auto bad = checkBytes()) return tl::unexpected(*bad);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
      return tl::unexpected(issueAt("out-of-memory", "not enough memory", 0));
    const std::string_view body = text_.substr(skipped_);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(body.data()), body.size());
    // At once: growing by doubling would hold the nodes twice for a moment. What is not used is not touched.
    tree_.nodes_.reserve(std::min(limits_.nodes, text_.size() / 4) + 1);
    bool more = true;
    while (more && !problem_) more = step(parser);
    yaml_parser_delete(&parser);
    if (problem_) return tl::unexpected(*problem_);
    if (tree_.root_) tree_.expandedBytes_ = weights_[*tree_.root_];
    if (hasAliases_) tree_.maxCopies_ = tree_.expandedBytes_ / kNodeWeight;
    return std::move(tree_);
  }

 private:
  struct Open {
    NodeId id;
    std::size_t weight;
    std::size_t height = 1;
  };

  static Issue issue(std::string code, std::string message, TextPosition place, std::string remedy = {}) {
    return {Severity::Error, std::move(code), std::move(message), std::move(remedy), {}, place};
  }
  Issue issueAt(std::string code, std::string message, std::size_t offset, std::string remedy = {}) const {
    return issue(std::move(code), std::move(message), index_.placeOf(offset), std::move(remedy));
  }
  void refuse(std::string code, std::string message, std::size_t offset, std::string remedy = {}) {
    if (!problem_) problem_ = issueAt(std::move(code), std::move(message), offset, std::move(remedy));
  }

  std::optional<Issue> checkBytes() {
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos)
      return issueAt("not-text", "the text holds a NUL byte, so it is not YAML", nul, "remove the byte");
    if (!isUtf8(text_))
      return issueAt("not-utf8", "the text is not UTF-8", firstBadByte(), "save the file as UTF-8");
    if (text_.starts_with(kByteOrderMark)) {
      skipped_ = kByteOrderMark.size();
      skippedCharacters_ = 1;
    }
    return std::nullopt;
  }

  /// Binary search: a prefix that ends between characters is well formed up to the first bad byte.
  std::size_t firstBadByte() const {
    std::size_t line = 0;
    while (line < text_.size()) {  // line by line, then byte by byte within the bad line
      const std::size_t end = std::min(text_.find('\n', line), text_.size());
      if (!isUtf8(text_.substr(line, end - line))) break;
      line = std::min(end + 1, text_.size());
    }
    std::size_t at = line;
    while (at < text_.size()) {
      std::size_t length = 1;
      while (length <= 4 && at + length <= text_.size() && !isUtf8(text_.substr(at, length))) ++length;
      if (length > 4 || at + length > text_.size()) return at;
      at += length;
    }
    return at;
  }

  std::size_t offsetOf(const yaml_mark_t& mark) const {
    return index_.offsetOfCharacter(mark.index + skippedCharacters_);
  }

  bool step(yaml_parser_t& parser) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      reportSyntax(parser);
      return false;
    }
    const bool last = event.type == YAML_STREAM_END_EVENT;
    take(event);
    yaml_event_delete(&event);
    return !last;
  }

  void reportSyntax(const yaml_parser_t& parser) {
    std::string message = parser.problem ? parser.problem : "this is not YAML";
    std::size_t offset = offsetOf(parser.problem_mark);
    if (parser.error == YAML_READER_ERROR) {
      offset = parser.problem_offset + skipped_;
      if (parser.problem_value > 0) message += fmt::format(" (character U+{:04X})", parser.problem_value);
    }
    if (parser.context && parser.context_mark.line != parser.problem_mark.line)
      message += fmt::format(" ({} that begins at line {})", parser.context, parser.context_mark.line + 1);
    else if (parser.context)
      message += fmt::format(" ({})", parser.context);
    const std::size_t end = lineEnd(text_, std::min(offset, text_.size()));
    const std::size_t begin = lineBegin(text_, std::min(offset, text_.size()));
    const bool tab = text_.substr(begin, end - begin).find('\t') != std::string_view::npos;
    refuse("yaml-syntax", message, offset, tab ? "YAML indents with blanks, not with tabs" : "");
  }

  void take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (documents_++ > 0)
          refuse("several-documents", "the file holds more than one YAML document",
                 offsetOf(event.start_mark), "remove the line '---' and what follows it");
        break;
      case YAML_SCALAR_EVENT:
        addScalar(event);
        break;
      case YAML_ALIAS_EVENT:
        addAlias(event);
        break;
      case YAML_SEQUENCE_START_EVENT:
        open(NodeKind::Sequence, event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, event,
             event.data.sequence_start.anchor, event.data.sequence_start.tag);
        break;
      case YAML_MAPPING_START_EVENT:
        open(NodeKind::Mapping, event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE, event,
             event.data.mapping_start.anchor, event.data.mapping_start.tag);
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        close(event);
        break;
      default:
        break;
    }
  }

  NodeId add(YamlNode node, const yaml_char_t* anchor) {
    const NodeId id = tree_.nodes_.size();
    if (id >= limits_.nodes)
      refuse("too-large", fmt::format("the document has more than {} values", limits_.nodes), node.begin);
    if (anchor) anchors_[textOf(anchor)] = id;
    if (open_.empty())
      tree_.root_ = id;
    else
      tree_.nodes_[open_.back().id].children.push_back(id);
    tree_.nodes_.push_back(std::move(node));
    weights_.push_back(kOpenWeight);
    heights_.push_back(1);
    return id;
  }

  /// Levels below a node with every alias written out: a chain of aliases must not be deeper than brackets
  /// may be.
  void rise(NodeId id, std::size_t height) {
    heights_[id] = height;
    if (!open_.empty()) open_.back().height = std::max(open_.back().height, height + 1);
    if (height > 4 * limits_.depth)
      refuse("too-deep", "aliases of aliases nest deeper than is reasonable", tree_.nodes_[id].begin);
  }

  void weigh(NodeId id, std::size_t weight) {
    weights_[id] = weight;
    if (!open_.empty()) open_.back().weight += weight;
    if (weight > limits_.expandedBytes || (!open_.empty() && open_.back().weight > limits_.expandedBytes))
      refuse("alias-bomb", "aliases in this document expand to more than is reasonable",
             tree_.nodes_[id].begin, "write the values out, or use fewer aliases of aliases");
  }

  void addScalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    YamlNode node;
    node.style = styleOf(scalar.style);
    node.resolvesType = scalar.plain_implicit != 0;
    node.tag = textOf(scalar.tag);
    node.value.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    node.begin = offsetOf(event.start_mark);
    node.end = offsetOf(event.end_mark);
    trimBlockScalar(node);
    const std::size_t weight = kNodeWeight + node.value.size();
    weigh(add(std::move(node), scalar.anchor), weight);
  }

  /// Blank lines after a block scalar are not its own, unless its header says "keep" (`|+`).
  void trimBlockScalar(YamlNode& node) const {
    if (node.style != ScalarStyle::Literal && node.style != ScalarStyle::Folded) return;
    const std::string_view header = text_.substr(node.begin, lineEnd(text_, node.begin) - node.begin);
    if (header.substr(0, header.find('#')).find('+') != std::string_view::npos) return;
    const std::size_t last = text_.substr(0, node.end).find_last_not_of("\r\n \t");
    node.end = std::max(node.begin, last + 1);
  }

  void addAlias(const yaml_event_t& event) {
    const std::string name = textOf(event.data.alias.anchor);
    const std::size_t begin = offsetOf(event.start_mark);
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      refuse("unknown-alias",
             fmt::format("'*{}' stands for nothing: there is no anchor '&{}' before it", name, name), begin,
             fmt::format("write '&{}' before the value it means", name));
      return;
    }
    if (weights_[found->second] == kOpenWeight) {
      refuse("recursive-alias", fmt::format("'*{}' stands inside the value that it stands for", name), begin);
      return;
    }
    YamlNode node;
    node.kind = NodeKind::Alias;
    node.target = found->second;
    node.begin = begin;
    node.end = offsetOf(event.end_mark);
    const NodeId target = node.target;
    const NodeId id = add(std::move(node), nullptr);
    hasAliases_ = true;
    weigh(id, weights_[target]);
    rise(id, heights_[target]);
  }

  void open(NodeKind kind, bool flow, const yaml_event_t& event, const yaml_char_t* anchor,
            const yaml_char_t* tag) {
    YamlNode node;
    node.kind = kind;
    node.flow = flow;
    node.tag = textOf(tag);
    node.begin = offsetOf(event.start_mark);
    node.end = offsetOf(event.end_mark);
    if (open_.size() >= limits_.depth)
      refuse("too-deep", fmt::format("values are nested deeper than {} levels", limits_.depth), node.begin);
    open_.push_back({add(std::move(node), anchor), kNodeWeight});
  }

  void close(const yaml_event_t& event) {
    const Open done = open_.back();
    open_.pop_back();
    YamlNode& node = tree_.nodes_[done.id];
    // A block collection ends, for libyaml, where the next token begins; for people, with its last value.
    if (node.flow)
      node.end = offsetOf(event.end_mark);
    else if (!node.children.empty())
      node.end = std::max(node.end, tree_.nodes_[node.children.back()].end);
    weigh(done.id, done.weight);
    rise(done.id, done.height);
    if (node.kind == NodeKind::Mapping) finishMapping(done.id);
  }

  void finishMapping(NodeId id) {
    const std::vector<NodeId>& children = tree_.nodes_[id].children;
    for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
      if (!tree_.isMergeKey(children[i])) continue;
      tree_.nodes_[id].merges = true;
      const std::size_t merged = tree_.nodes_[tree_.resolved(children[i + 1])].children.size();
      if (merged > kMaxMerged && mergesList(children[i + 1]))
        refuse("too-large", fmt::format("'<<' merges more than {} mappings", kMaxMerged),
               tree_.nodes_[id].begin);
    }
    if (children.size() < YamlTree::kLargeMapping) return;
    YamlTree::Entries entries;
    for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
      const YamlNode& key = tree_.nodes_[tree_.resolved(children[i])];
      if (key.kind == NodeKind::Scalar && !tree_.isMergeKey(children[i])) entries[key.value] = i;
    }
    tree_.largeMappings_[id] = std::make_shared<const YamlTree::Entries>(std::move(entries));
  }

  [[nodiscard]] bool mergesList(NodeId value) const {
    return tree_.nodes_[tree_.resolved(value)].kind == NodeKind::Sequence;
  }

  static constexpr std::size_t kNodeWeight = 16;
  static constexpr std::size_t kMaxMerged = 64;
  static constexpr std::size_t kOpenWeight = ~std::size_t{0};

  std::string_view text_;
  YamlLimits limits_;
  TextIndex index_;
  std::size_t skipped_ = 0;
  std::size_t skippedCharacters_ = 0;
  int documents_ = 0;
  bool hasAliases_ = false;
  YamlTree tree_;
  std::vector<std::size_t> weights_;
  std::vector<std::size_t> heights_;
  std::vector<Open> open_;
  std::unordered_map<std::string, NodeId> anchors_;
  std::optional<Issue> problem_;
};

tl::expected<YamlTree, Issue> YamlTree::parse(std::string_view text, const YamlLimits& limits) {
  if (text.size() > limits.bytes) {
    return tl::unexpected(
        Issue{Severity::Error,
              "too-large",
              fmt::format("the file has {} bytes; a train.yaml has at most {}", text.size(), limits.bytes),
              "check that this is the right file",
              {},
              {1, 1}});
  }
  return YamlTreeBuilder(text, limits).build();
}

}  // namespace lockstep
