// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "cluster/document/cluster_document.h"

namespace lockstep {
namespace {

std::string after(const std::string& text, const Result<TextEdit>& edit) {
  return edit ? applyEdit(text, *edit) : "refused: " + describe(edit.error());
}
std::string set(const std::string& text, const char* path, const char* value, bool plain = false) {
  return after(text, ClusterDocument(text).setScalar(FieldPath::parse(path), value, plain));
}
std::string removed(const std::string& text, const char* path) {
  return after(text, ClusterDocument(text).remove(FieldPath::parse(path)));
}
std::string appended(const std::string& text, const char* path, EnvVar variable) {
  return after(text, ClusterDocument(text).appendEnv(FieldPath::parse(path), variable));
}

struct SetCase {
  const char* before;
  const char* path;
  const char* value;
  bool plain;
  const char* expected;
};

constexpr SetCase kSets[] = {
    // styles stay, comments stay
    {"a: b  # c\n", "a", "x", false, "a: x  # c\n"},
    {"a: \"b\"  # c\n", "a", "x", false, "a: \"x\"  # c\n"},
    {"a: 'b'\n", "a", "it's", false, "a: 'it''s'\n"},
    {"a: 'b'\n", "a", "two\nlines", false, "a: \"two\\nlines\"\n"},
    {"a: b\r\nc: d\r\n", "a", "x", false, "a: x\r\nc: d\r\n"},
    {"\xEF\xBB\xBF"
     "a: é\nb: c\n",
     "b", "x", false,
     "\xEF\xBB\xBF"
     "a: é\nb: x\n"},
    {"a: |\n  text\n\nb: c\n", "a", "x", false, "a: x\n\nb: c\n"},
    {"a: |+\n  text\n\n\nb: c\n", "a", "x", false, "a: x\n\n\nb: c\n"},
    {"a: |+\r\n  text\r\n", "a", "x", false, "a: x\r\n"},
    {"a: |+\n  text\n\n", "a", "x", false, "a: x\n\n"},
    {"a: one\n  two\nb: c\n", "a", "x", false, "a: x\nb: c\n"},
    {"a: &x b\nc: *x\n", "c", "d", false, "a: &x b\nc: d\n"},
    {"a: &x b\nc: *x\n", "a", "d", false, "a: &x d\nc: *x\n"},
    // what YAML 1.1 would read as something else is quoted
    {"a: b\n", "a", "010", false, "a: \"010\"\n"},
    {"a: b\n", "a", "yes", false, "a: \"yes\"\n"},
    {"a: b\n", "a", "1.10", false, "a: \"1.10\"\n"},
    {"a: b\n", "a", "1:30", false, "a: \"1:30\"\n"},
    {"a: b\n", "a", "null", false, "a: \"null\"\n"},
    {"a: b\n", "a", "1e3", false, "a: 1e3\n"},
    {"a: b\n", "a", "x: y", false, "a: \"x: y\"\n"},
    {"a: b\n", "a", "x #y", false, "a: \"x #y\"\n"},
    {"a: b\n", "a", "", false, "a: \"\"\n"},
    {"a: b\n", "a", "@image", false, "a: \"@image\"\n"},
    {"a: b\n", "a", "200", false, "a: \"200\"\n"},
    {"a: b\n", "a", "200", true, "a: 200\n"},
    {"a: 100\n", "a", "200", false, "a: 200\n"},
    {"a: 100\n", "a", "010", false, "a: \"010\"\n"},
    {"a: {b: c}\n", "a.b", "x, y", false, "a: {b: \"x, y\"}\n"},
    {"a: [b, c]\n", "a[1]", "-x", false, "a: [b, -x]\n"},
    {"a:\n  - b\n", "a[0]", "--flag", false, "a:\n  - --flag\n"},
    // empty values
    {"a:\nb: c\n", "a", "x", false, "a: x\nb: c\n"},
    {"a:   # later\n", "a", "x", false, "a: x   # later\n"},
    {"- a\n-\n", "[1]", "x", false, "- a\n- x\n"},
    {"{a: , b: c}\n", "a", "x", false, "{a: x , b: c}\n"},
    {"{a, b: c}\n", "a", "x", false, "{a: x, b: c}\n"},
    // missing keys
    {"a: b\n", "c", "x", false, "a: b\nc: x\n"},
    {"a: b", "c", "x", false, "a: b\nc: x"},
    {"a: b\r\n", "c", "x", false, "a: b\r\nc: x\r\n"},
    {"a:\n    b: c  # d\n\n# e\nf: g\n", "a.h.i", "x", false,
     "a:\n    b: c  # d\n    h:\n        i: x\n\n# e\nf: g\n"},
    {"a:\nb: c\n", "a.d", "x", false, "a:\n  d: x\nb: c\n"},
    {"a: {}\n", "a.b.c", "2", true, "a: {b: {c: 2}}\n"},
    {"a: {b: c}\n", "a.d", "x", false, "a: {b: c, d: x}\n"},
    {"a: {b: c, }\n", "a.d", "x", false, "a: {b: c, d: x, }\n"},
    {"a: ~\n", "a.b", "x", false, "a: {b: x}\n"},
    {"a:\n- b\n", "a[1]", "x", false, "a:\n- b\n- x\n"},
    {"a: |+\n  text\n\nb: c\n", "d", "x", false, "a: |+\n  text\n\nb: c\nd: x\n"},
    {"a: |+\n  text\n\n", "d", "x", false, "a: |+\n  text\n\nd: x\n"},
    {"", "a.b", "x", false, "a:\n  b: x\n"},
    {"# only this", "a", "x", false, "# only this\na: x\n"},
    {"b: &b {x: 1}\na:\n  <<: *b\n", "a.x", "2", true, "b: &b {x: 1}\na:\n  <<: *b\n  x: 2\n"},
};

TEST(SetScalar, ChangesOnlyWhatItMust) {
  for (const SetCase& c : kSets)
    EXPECT_EQ(set(c.before, c.path, c.value, c.plain), c.expected)
        << c.before << " " << c.path << " = " << c.value;
}

TEST(SetScalar, RefusesWhatOthersShare) {
  EXPECT_TRUE(set("a: &x {b: c}\nd: *x\n", "d.b", "y").starts_with("refused"));
  EXPECT_TRUE(set("a: &x {b: {c: d}}\ne: {<<: *x}\n", "e.b.c", "y").starts_with("refused"));
  EXPECT_TRUE(set("a: [b]\n", "a", "y").starts_with("refused"));
  EXPECT_TRUE(set("a: b\n", "a.c", "y").starts_with("refused"));
  EXPECT_TRUE(set("a: [b]\n", "a[5]", "y").starts_with("refused"));
  EXPECT_TRUE(set("a: [b\n", "a", "y").starts_with("refused"));
}

struct RemoveCase {
  const char* before;
  const char* path;
  const char* expected;
};

constexpr RemoveCase kRemovals[] = {
    {"a: b  # c\nd: e\n", "a", "d: e\n"},
    {"d: e\na: b", "a", "d: e"},
    {"d: e\r\na: b", "a", "d: e"},
    {"a:\n  b: c\n  d: e\n# f\ng: h\n", "a", "# f\ng: h\n"},
    {"a:\n  b: c  # d\ne: f\n", "a.b", "a: {}\ne: f\n"},
    {"a:  # d\n  - b\ne: f\n", "a[0]", "a: []  # d\ne: f\n"},
    {"- name: X\n  value: Y\n", "[0].name", "- value: Y\n"},
    {"- name: X\n", "[0].name", "- {}\n"},
    {"a:\n  - b\n  - c\n  - d\n", "a[1]", "a:\n  - b\n  - d\n"},
    {"a: {b: c, d: e}\n", "a.b", "a: {d: e}\n"},
    {"a: {b: c, d: e}\n", "a.d", "a: {b: c}\n"},
    {"a: {b: c}\n", "a.b", "a: {}\n"},
    {"a: [b, c]\n", "a[0]", "a: [c]\n"},
    {"a:\nb: c\n", "a", "b: c\n"},
    {"a: b\n", "a", "{}\n"},
    // keys that are marked with '?'
    {"a: b\n? c\n", "c", "a: b\n"},
    {"a: b\n? c\n: d\n", "c", "a: b\n"},
};

TEST(Remove, TakesTheLinesOfOnePart) {
  for (const RemoveCase& c : kRemovals)
    EXPECT_EQ(removed(c.before, c.path), c.expected) << c.before << " " << c.path;
}

TEST(Remove, RefusesWhatIsNotThere) {
  EXPECT_TRUE(removed("a: b\n", "c").starts_with("refused"));
  EXPECT_TRUE(removed("a: &x {b: c}\nd: {<<: *x}\n", "d.b").starts_with("refused"));
}

struct RenameCase {
  const char* before;
  const char* path;
  const char* newName;
  const char* expected;
};

constexpr RenameCase kRenames[] = {
    {"a: b  # c\nd: e\n", "a", "x", "x: b  # c\nd: e\n"},
    {"a:\r\n  b: c\r\n", "a.b", "other", "a:\r\n  other: c\r\n"},
    {"'a': b\n", "a", "it's", "'it''s': b\n"},
    {"\"a\" : b\n", "a", "x", "\"x\" : b\n"},
    {"a: b\n", "a", "yes", "\"yes\": b\n"},
    {"a: b\n", "a", "8", "\"8\": b\n"},
    {"a: b\n", "a", "x: y", "\"x: y\": b\n"},
    {"a: b\n", "a", "<<", "\"<<\": b\n"},
    {"{a: b, \"c\":d}\n", "c", "x", "{a: b, \"x\":d}\n"},
    {"{a, b: c}\n", "a", "x", "{x, b: c}\n"},
    {"- name: X\n  valeu: Y\n", "[0].valeu", "value", "- name: X\n  value: Y\n"},
    {"&k a: &v b\n", "a", "x", "&k x: &v b\n"},
    {"!!str a: b\n", "a", "x", "!!str x: b\n"},
    {"? a\n: b\n", "a", "x", "? x\n: b\n"},
    {"é: b\nc: d\n", "é", "ü 🚀", "ü 🚀: b\nc: d\n"},
    {"a:\nb:\n", "b", "x", "a:\nx:\n"},
    {"a: 1\nb: 2\na: 3\n", "a", "x", "a: 1\nb: 2\nx: 3\n"},
    {"a: b\n", "a", "a", "a: b\n"},
};

TEST(RenameKey, ChangesOnlyTheKey) {
  for (const RenameCase& c : kRenames)
    EXPECT_EQ(after(c.before, ClusterDocument(c.before).renameKey(FieldPath::parse(c.path), c.newName)),
              c.expected)
        << c.before << " " << c.path << " -> " << c.newName;
}

TEST(RenameKey, RefusesWhatItMustNotTouch) {
  const auto renamed = [](const char* text, const char* path, const std::string& newName) {
    return after(text, ClusterDocument(text).renameKey(FieldPath::parse(path), newName));
  };
  EXPECT_NE(renamed("a: b\nc: d\n", "a", "c").find("a key 'c' beside it already"), std::string::npos);
  EXPECT_TRUE(renamed("x: &x {c: d}\na: {<<: *x, b: e}\n", "a.b", "c").starts_with("refused"));
  EXPECT_TRUE(renamed("x: &x {c: d}\na: {<<: *x}\n", "a.c", "e").starts_with("refused"));
  EXPECT_TRUE(renamed("x: &x {c: d}\na: *x\n", "a.c", "e").starts_with("refused"));
  EXPECT_TRUE(renamed("&k a: b\nc: *k\n", "a", "x").starts_with("refused"));
  EXPECT_TRUE(renamed("&k a: b\nc: {*k : d}\n", "c.a", "x").starts_with("refused"));
  EXPECT_TRUE(renamed("a: b\n", "c", "x").starts_with("refused"));
  EXPECT_TRUE(renamed("a: [b]\n", "a[0]", "x").starts_with("refused"));
  EXPECT_TRUE(renamed("a: [b]\n", "a[7].b", "x").starts_with("refused"));
  EXPECT_TRUE(renamed("a: b\n", "", "x").starts_with("refused"));
  EXPECT_TRUE(renamed("", "a", "x").starts_with("refused"));
  EXPECT_TRUE(renamed("a: [b\n", "a", "x").starts_with("refused"));
  EXPECT_TRUE(renamed("a: b\n", "a", std::string(2000, 'x')).starts_with("refused"));
}

TEST(AppendEnv, FollowsTheStyleOfTheList) {
  EXPECT_EQ(appended("env:\n  - name: A\n    value: b\n", "env", {"X", "1"}),
            "env:\n  - name: A\n    value: b\n  - name: X\n    value: \"1\"\n");
  EXPECT_EQ(appended("env:\n- {name: A, value: b}  # c\nz: 1\n", "env", {"X", "y"}),
            "env:\n- {name: A, value: b}  # c\n- {name: X, value: y}\nz: 1\n");
  EXPECT_EQ(appended("env: [{name: A, value: b}]\n", "env", {"X", "y"}),
            "env: [{name: A, value: b}, {name: X, value: y}]\n");
  EXPECT_EQ(appended("env: []\n", "env", {"X", "y"}), "env: [{name: X, value: y}]\n");
  EXPECT_EQ(appended("a:\n  b: c\n", "a.env", {"X", "y"}),
            "a:\n  b: c\n  env:\n    - name: X\n      value: y\n");
  EXPECT_EQ(appended("env:\n", "env", {"X", "y"}), "env:\n  - name: X\n    value: y\n");
}

TEST(ClusterDocument, ShowsScalarsAsTheyWillBeSent) {
  const ClusterDocument document("a: {b: 010}\nc: [x, y]\n");
  const auto scalar = document.scalar({"a", "b"});
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->value, "8");
  EXPECT_EQ(scalar->raw, "010");
  EXPECT_EQ(scalar->place, (TextPosition{1, 8}));
  EXPECT_EQ(document.keysAt({}), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(document.lengthAt({"c"}), 2U);
  EXPECT_FALSE(document.scalar({"a"}));
  EXPECT_FALSE(document.keysAt({"c"}));
  EXPECT_FALSE(document.lengthAt({"a"}));
}

TEST(TextEdit, IsUndoneByItsInverse) {
  const TextEdit edit{2, "cd", "X"};
  EXPECT_EQ(applyEdit("abcdef", edit), "abXef");
  EXPECT_EQ(applyEdit("abXef", {2, "X", "cd"}), "abcdef");
}

}  // namespace
}  // namespace lockstep
