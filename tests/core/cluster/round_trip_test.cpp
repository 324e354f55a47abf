// SPDX-License-Identifier: GPL-3.0-or-later
// Editing any scalar of any golden changes that scalar and nothing else.
#include <gtest/gtest.h>

#include "cluster/document/cluster_document.h"
#include "cluster/yaml/text_index.h"
#include "cluster/yaml/yaml_scalar.h"
#include "cluster/yaml/yaml_tree.h"
#include "golden_texts.h"

namespace lockstep {
namespace {

struct Place {
  FieldPath path;
  YamlNode node;
};

/// Paths of all scalars that a path names for sure: own ones, and of doubled keys the last.
void collect(const YamlTree& tree, NodeId id, const FieldPath& path, std::vector<Place>& places) {
  const YamlNode& node = tree.node(id);
  if (node.kind == NodeKind::Scalar && tree.find(path) == id) places.push_back({path, node});
  if (node.kind == NodeKind::Sequence) {
    for (std::size_t i = 0; i < node.children.size(); ++i)
      collect(tree, node.children[i], path.child(i), places);
  }
  if (node.kind != NodeKind::Mapping) return;
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    if (!tree.isMergeKey(node.children[i]))
      collect(tree, node.children[i + 1], path.child(tree.node(node.children[i]).value), places);
  }
}

std::vector<Place> scalarsOf(const std::string& text) {
  std::vector<Place> places;
  const auto tree = YamlTree::parse(text);
  if (tree && tree->root()) collect(*tree, *tree->root(), {}, places);
  std::erase_if(places, [](const Place& p) { return p.path.empty(); });
  return places;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// Lines that are not the same in both, between the equal ones at the front and at the back.
std::size_t changedLines(const std::string& before, const std::string& after) {
  const auto a = linesOf(before);
  const auto b = linesOf(after);
  std::size_t front = 0;
  while (front < std::min(a.size(), b.size()) && a[front] == b[front]) ++front;
  std::size_t back = 0;
  while (back < std::min(a.size(), b.size()) - front && a[a.size() - 1 - back] == b[b.size() - 1 - back])
    ++back;
  return std::max(a.size(), b.size()) - front - back;
}

/// What people and tools write that the goldens do not have.
constexpr std::pair<const char*, const char*> kOddTexts[] = {
    {"crlf", "a: b  # c\r\n\r\nd:\r\n  - e\r\n  - 'f'\r\n  - |\r\n    g\r\n    h\r\ni: j\r\n"},
    {"lone cr", "a: b\rc:\r  d: e\r"},
    {"byte order mark", "\xEF\xBB\xBF# first\na: b\nc: d\n"},
    {"no newline at the end", "a: b\nc:\n  d: e"},
    {"comment at the end", "a: b\nc: d # e"},
    {"tabs after content", "a: b\t\nc: d\t# e\n\t\nf:\tg\n"},
    {"blank lines", "\n\na: b\n\n\nc: d\n   \n\n"},
    {"flow style", "{a: b, \"c\":d, 'e': [f, \"g\", {h: i}], j: [\n  k,\n  l  # m\n], }\n"},
    {"combining", "a: e\u0301\u0323  # o\u0308\nn\u0303: x\nc: d\n"},
    {"right to left", "\u05D0\u05D1: \u0634\u0643\u0631\u0627  # \u05E9\na: \"\u200F\u05D0\"\n"},
    {"astral", "a: \U0001F680\U0001F469\u200D\U0001F4BB\n\U00010348: \"\U0001D11E\"\nc: d\n"},
    {"no-break spaces", "a: b\u00A0c\nd: '\u00A0'\n"},
    {"anchors and merges", "x: &x {b: c, d: e}\ny:\n  <<: *x\n  b: f\nz: &z g\nw: [*z, h, &v i]\n"},
    {"anchor and comment", "a: &a   # why\n  b: c\nd: *a\n"},
    {"tags", "a: !!str 010\nb: !!int \"5\"\nc: &d !!str yes\n"},
    {"escapes", "a: \"\\a\\x41\\u00e9\\\n  b\"\nc: 'it''s'\n"},
    {"folded plain", "a: one\n  two\n\n  three\nb: \"one\n  two\"\nc: 'one\n  two'\n"},
    {"block scalars", "a: |\n  b\n   c\n\nd: >-\n  e\n  f\n\ng: |+\n  h\n\n\ni: |2-\n    j\nk: >\n  l"},
    {"complex keys", "? a\n: b\n? - c\n: d\n\"e f\" : g\n"},
    {"unknown keys", "kind: distributed\nspce: {x: y}\nx-mine: [1, 2]\n1: one\n~: none\n"},
    {"document marks", "%YAML 1.1\n---\na: b\nc: d\n...\n"},
    {"a quote like a comment", "a: \"# b\"\nc: d#e\nf: 'g # h'\n"},
};

std::vector<std::pair<std::string, std::string>> allTexts() {
  auto texts = goldenTexts();
  texts.insert(texts.end(), std::begin(kOddTexts), std::end(kOddTexts));
  return texts;
}

/// Whether nothing else can give the key a value: it stands there once, and no merge brings it.
bool isOnlySource(const std::string& text, const FieldPath& path) {
  const auto tree = YamlTree::parse(text);
  const auto* key = std::get_if<std::string>(&path.elements().back());
  const auto mapping = tree->find(path.parent());
  if (!key || !mapping) return false;
  const YamlNode& node = tree->node(tree->resolved(*mapping));
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2)
    count += tree->node(tree->resolved(node.children[i])).value == *key ? 1 : 0;
  return count == 1 && !node.merges;
}

constexpr const char* kValues[] = {
    "plain",   "two words", "010",   "yes",        "",  "it's \"quoted\" \\ and: # odd",
    "a, b] }", "- x",       "é ☕ 🚀", "line\nline", "=", "--flag"};

TEST(RoundTrip, SettingAScalarChangesItsLineAndUndoingItRestoresTheBytes) {
  std::size_t count = 0;
  for (const auto& [name, text] : allTexts()) {
    const ClusterDocument document(text);
    for (const auto& [path, node] : scalarsOf(text)) {
      const std::string where = name + " " + path.toString();
      const auto edit = document.setScalar(path, kValues[count++ % std::size(kValues)]);
      ASSERT_TRUE(edit) << where << ": " << describe(edit.error());
      const std::string changed = applyEdit(text, *edit);
      const ClusterDocument after(changed);
      const auto scalar = after.scalar(path);
      ASSERT_TRUE(scalar) << where;
      EXPECT_EQ(scalar->value, kValues[(count - 1) % std::size(kValues)]) << where;
      EXPECT_LE(changedLines(text, changed), linesOf(text.substr(node.begin, node.end - node.begin)).size())
          << where;
      EXPECT_EQ(applyEdit(changed, {edit->offset, edit->inserted, edit->removed}), text) << where;
    }
  }
  EXPECT_GT(count, 500U);
}

TEST(RoundTrip, SettingAScalarBackRestoresTheBytes) {
  for (const auto& [name, text] : allTexts()) {
    const ClusterDocument document(text);
    for (const auto& [path, node] : scalarsOf(text)) {
      const ScalarType type = resolveScalar(node).type;
      // No text stands for "nothing here"; and what is typed is no `!!int "5"`.
      if (type == ScalarType::Null || (!node.tag.empty() && type != ScalarType::String)) continue;
      const bool bare = node.resolvesType && implicitType(node.value) != ScalarType::String;
      const auto edit = document.setScalar(path, bare ? "7" : "other", bare);
      ASSERT_TRUE(edit) << name << " " << path.toString();
      const ClusterDocument changed = document.edited(*edit);
      const auto back = changed.setScalar(path, node.value, bare);
      ASSERT_TRUE(back) << name << " " << path.toString();
      ClusterDocument restored = changed.edited(*back);
      if (const auto respelled = restored.respelledAs(document)) restored = restored.edited(*respelled);
      EXPECT_EQ(restored.text(), text) << name << " " << path.toString();
    }
  }
}

TEST(RoundTrip, OnlyTheSpellingOfOneScalarIsTakenOver) {
  const auto respelled = [](const char* from, const char* to) {
    const auto edit = ClusterDocument(from).respelledAs(ClusterDocument(to));
    return edit ? applyEdit(from, *edit) : std::string("nothing");
  };
  EXPECT_EQ(respelled("a: \"b\\n\"\n", "a: |\n  b\n"), "a: |\n  b\n");
  EXPECT_EQ(respelled("a: x\n", "a: 'x'\n"), "a: 'x'\n");
  EXPECT_EQ(respelled("a: \"010\"\n", "a: !!str 010\n"), "a: !!str 010\n");
  EXPECT_EQ(respelled("a: 010\n", "a: \"010\"\n"), "nothing");  // another value
  EXPECT_EQ(respelled("a: x  # b\n", "a: x  # c\n"), "nothing");
  EXPECT_EQ(respelled("a: 'x'\nb: y\n", "a: x\nb: 'y'\n"), "nothing");  // two of them
  EXPECT_EQ(respelled("a: x\n", "a: x\n"), "nothing");
  EXPECT_EQ(respelled("a: [x\n", "a: x\n"), "nothing");
}

TEST(RoundTrip, EditingThroughAnAliasOrAMergeLeavesTheAnchor) {
  // A scalar that comes through an alias gets a value of its own where it is set; nobody else sees it.
  const std::string alias = "a: &x b\nc: *x\nd: *x\n";
  const auto own = ClusterDocument(alias).setScalar({"c"}, "e");
  ASSERT_TRUE(own);
  EXPECT_EQ(applyEdit(alias, *own), "a: &x b\nc: e\nd: *x\n");
  // What comes through a merge is overridden where it is set.
  const std::string merge = "x: &x {b: c}\ny:\n  <<: *x\n";
  const auto override = ClusterDocument(merge).setScalar({"y", "b"}, "d");
  ASSERT_TRUE(override);
  EXPECT_EQ(applyEdit(merge, *override), "x: &x {b: c}\ny:\n  <<: *x\n  b: d\n");
  // A part of a mapping or list behind an alias has no place of its own: refused, with the way out.
  const ClusterDocument behind("x: &x {b: {c: d}, l: [1]}\ny: *x\nz: {<<: *x}\n");
  for (const char* path : {"y.b.c", "y.l[0]", "y.new", "z.b.c", "z.l[0]"}) {
    const auto edit = behind.setScalar(FieldPath::parse(path), "e");
    ASSERT_FALSE(edit) << path;
    EXPECT_NE(edit.error().cause.find("alias or a merge"), std::string::npos) << edit.error().cause;
    EXPECT_FALSE(edit.error().remedy.empty());
  }
  EXPECT_FALSE(behind.remove({"y", "b"}));
  EXPECT_FALSE(behind.appendItem({"y", "l"}, "2"));
}

TEST(RoundTrip, RemovingAnythingLeavesTheRest) {
  for (const auto& [name, text] : allTexts()) {
    const ClusterDocument document(text);
    for (const auto& [path, node] : scalarsOf(text)) {
      const auto edit = document.remove(path);
      if (!edit) {
        EXPECT_FALSE(edit.error().cause.empty());
        continue;
      }
      const std::string changed = applyEdit(text, *edit);
      const ClusterDocument after(changed);
      ASSERT_TRUE(after.isParsable()) << name << " " << path.toString() << "\n" << changed;
      EXPECT_EQ(applyEdit(changed, {edit->offset, edit->inserted, edit->removed}), text);
      if (isOnlySource(text, path)) {
        EXPECT_FALSE(after.scalar(path)) << name << " " << path.toString();
      }
    }
  }
}

TEST(RoundTrip, AddingAVariableKeepsTheOthers) {
  for (const auto& [name, text] : allTexts()) {
    const ClusterDocument document(text);
    if (!document.isParsable()) continue;
    for (const char* list :
         {"spec.cluster.spec.config.env", "spec.runtime.spec.env", "spec.cluster.spec.worker.config.env"}) {
      const FieldPath path = FieldPath::parse(list);
      const std::size_t before = document.lengthAt(path).value_or(0);
      const auto edit = document.appendEnv(path, {"ADDED", "0123"});
      if (!edit) continue;  // comes through an alias, or the place holds something else
      const ClusterDocument after(applyEdit(text, *edit));
      ASSERT_EQ(after.lengthAt(path), before + 1) << name << " " << list << "\n" << after.text();
      EXPECT_EQ(after.scalar(path.child(before).child("value"))->value, "0123") << name;
    }
  }
}

}  // namespace
}  // namespace lockstep
