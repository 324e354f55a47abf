// SPDX-License-Identifier: GPL-3.0-or-later
// Editing any scalar of any golden changes that scalar and nothing else.
#include <gtest/gtest.h>

#include "cluster/cluster_document.h"
#include "cluster/text_index.h"
#include "cluster/yaml_scalar.h"
#include "cluster/yaml_tree.h"
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

bool isOnOneLine(const std::string& text, const YamlNode& node) {
  return text.substr(node.begin, node.end - node.begin).find('\n') == std::string::npos;
}

constexpr const char* kValues[] = {
    "plain",   "two words", "010",   "yes",        "",  "it's \"quoted\" \\ and: # odd",
    "a, b] }", "- x",       "é ☕ 🚀", "line\nline", "=", "--flag"};

TEST(RoundTrip, SettingAScalarChangesItsLineAndUndoingItRestoresTheBytes) {
  std::size_t count = 0;
  for (const auto& [name, text] : goldenTexts()) {
    const ClusterDocument document(text);
    for (const auto& [path, node] : scalarsOf(text)) {
      if (!node.tag.empty()) continue;
      const std::string where = name + " " + path.toString();
      const auto edit = document.setScalar(path, kValues[count++ % std::size(kValues)]);
      ASSERT_TRUE(edit) << where << ": " << describe(edit.error());
      const std::string changed = applyEdit(text, *edit);
      const ClusterDocument after(changed);
      const auto scalar = after.scalar(path);
      ASSERT_TRUE(scalar) << where;
      EXPECT_EQ(scalar->value, kValues[(count - 1) % std::size(kValues)]) << where;
      if (isOnOneLine(text, node)) {
        EXPECT_LE(changedLines(text, changed), 1U) << where;
      }
      EXPECT_EQ(applyEdit(changed, {edit->offset, edit->inserted, edit->removed}), text) << where;
      if (!isOnOneLine(text, node) || node.value.empty()) continue;
      const bool bare = node.resolvesType && implicitType(node.value) != ScalarType::String;
      const auto back = after.setScalar(path, node.value, bare);
      ASSERT_TRUE(back) << where << ": " << describe(back.error());
      EXPECT_EQ(ClusterDocument(applyEdit(changed, *back)).scalar(path)->raw, node.value) << where;
    }
  }
  EXPECT_GT(count, 500U);
}

TEST(RoundTrip, AScalarOfTheSameKindGoesBackToTheSameBytes) {
  for (const auto& [name, text] : goldenTexts()) {
    const ClusterDocument document(text);
    for (const auto& [path, node] : scalarsOf(text)) {
      if (!node.tag.empty() || !isOnOneLine(text, node) || node.value.empty()) continue;
      const bool bare = node.resolvesType && implicitType(node.value) != ScalarType::String;
      const auto edit = document.setScalar(path, bare ? "7" : "other", bare);
      ASSERT_TRUE(edit) << name << " " << path.toString();
      const std::string changed = applyEdit(text, *edit);
      const auto back = ClusterDocument(changed).setScalar(path, node.value, bare);
      ASSERT_TRUE(back) << name << " " << path.toString();
      EXPECT_EQ(applyEdit(changed, *back), text) << name << " " << path.toString();
    }
  }
}

TEST(RoundTrip, RemovingAnythingLeavesTheRest) {
  for (const auto& [name, text] : goldenTexts()) {
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
      if (std::holds_alternative<std::string>(path.elements().back()) && name != "duplicate_keys") {
        EXPECT_FALSE(after.scalar(path)) << name << " " << path.toString();
      }
    }
  }
}

TEST(RoundTrip, AddingAVariableKeepsTheOthers) {
  for (const auto& [name, text] : goldenTexts()) {
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
