// SPDX-License-Identifier: GPL-3.0-or-later
#include "yaml/yaml_document.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using Kind = YamlValue::Kind;

std::string repeated(std::size_t times, const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

/// "file:line:column: cause" of a text that is refused.
std::string refusalOf(const std::string& text) {
  const auto value = readYaml(text, "f.yaml");
  if (value) return "(it was read)";
  EXPECT_EQ(value.error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(value.error().what.empty());
  return value.error().where + ": " + value.error().cause;
}

TEST(YamlDocument, HoldsTextsAsTheyStandThere) {
  const auto value = readYaml(
      "a: yes\nb: '010'\nc: \"x\\n\u00e9\"\nd: |\n  two\n  lines\ne: [1e3, 0x1f, {f: 12:30:00}]\ng:\nh: "
      "~\ni: ''\n",
      "f.yaml");
  ASSERT_TRUE(value) << describe(value.error());
  ASSERT_EQ(value->kind, Kind::Mapping);
  ASSERT_EQ(value->entries.size(), 8U);
  EXPECT_EQ(value->find("a")->text, "yes");
  EXPECT_EQ(value->find("b")->text, "010");
  EXPECT_EQ(value->find("c")->text, "x\n\u00e9");
  EXPECT_EQ(value->find("d")->text, "two\nlines\n");
  ASSERT_EQ(value->find("e")->items.size(), 3U);
  EXPECT_EQ(value->find("e")->items[1].text, "0x1f");
  EXPECT_EQ(value->find("e")->items[2].find("f")->text, "12:30:00");
  EXPECT_EQ(value->find("g")->kind, Kind::Null);
  EXPECT_EQ(value->find("h")->kind, Kind::Null);
  EXPECT_EQ(value->find("i")->kind, Kind::Scalar);
  EXPECT_EQ(value->find("z"), nullptr);
}

TEST(YamlDocument, SaysWhereEachValueStands) {
  const auto value = readYaml("\xEF\xBB\xBF# one\n\u00e9\u00e9: 'x'\r\nlist:\n  - a\n  - {b: c}\n", "f.yaml");
  ASSERT_TRUE(value) << describe(value.error());
  EXPECT_EQ(value->entries[0].value.place, (TextPosition{2, 5}));
  const YamlValue& list = *value->find("list");
  EXPECT_EQ(list.items[0].place, (TextPosition{4, 5}));
  EXPECT_EQ(list.items[1].place, (TextPosition{5, 5}));
  EXPECT_EQ(list.items[1].find("b")->place, (TextPosition{5, 9}));
  const auto nulls = readYaml("a:\n\nb: ~\n", "f.yaml");
  ASSERT_TRUE(nulls) << describe(nulls.error());
  EXPECT_EQ(nulls->entries[0].value.place, (TextPosition{1, 1}));
  EXPECT_EQ(nulls->entries[1].value.place, (TextPosition{3, 1}));
}

TEST(YamlDocument, MayEndWithTheMarkOfItsEnd) {
  for (const char* text :
       {"a: |\n  x\n...\n", "a: |\n  x\n...", "a: |\n  x\n...\n# end\n", "a: |\n  x", "a: |\n  x\n"}) {
    const auto value = readYaml(text, "f.yaml");
    ASSERT_TRUE(value) << text << describe(value.error());
    EXPECT_EQ(value->entries[0].value.text.substr(0, 1), "x") << text;
    EXPECT_EQ(value->entries.size(), 1U) << text;
  }
}

TEST(YamlDocument, OfNothingIsNull) {
  for (const char* text :
       {"", "\n\n", "# only a comment\n", "---\n", "...\n", "...\n# end", "\xEF\xBB\xBF"}) {
    const auto value = readYaml(text, "f.yaml");
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->kind, Kind::Null) << text;
  }
}

TEST(YamlDocument, WritesAliasesAndMergesOut) {
  const auto value = readYaml(
      "base: &b {a: 1, b: 2}\nother: &o {b: 3, c: 4}\none: {<<: *b, a: 9}\n"
      "both: {<<: [*b, *o], d: 5}\nplain: {'<<': x}\nagain: 1\nagain: 2\n",
      "f.yaml");
  ASSERT_TRUE(value) << describe(value.error());
  EXPECT_EQ(value->find("one")->find("a")->text, "9");
  EXPECT_EQ(value->find("one")->find("b")->text, "2");
  EXPECT_EQ(value->find("one")->entries.size(), 2U);
  EXPECT_EQ(value->find("both")->find("b")->text, "2");
  EXPECT_EQ(value->find("both")->find("c")->text, "4");
  EXPECT_EQ(value->find("plain")->find("<<")->text, "x");
  EXPECT_EQ(value->find("again")->text, "2");
}

TEST(YamlDocument, RefusesWithLineAndColumn) {
  EXPECT_EQ(refusalOf("a: 1\nb: [1\n").substr(0, 9), "f.yaml:3:");
  EXPECT_EQ(refusalOf("a: 1\n  b: 2\n").substr(0, 9), "f.yaml:2:");
  EXPECT_EQ(refusalOf("a: *none\n").substr(0, 11), "f.yaml:1:4:");
  EXPECT_EQ(refusalOf("a: &x [*x]\n"), "f.yaml:1:8: an alias stands inside the value that it stands for");
  EXPECT_EQ(refusalOf("a: 1\n---\nb: 2\n").substr(0, 9), "f.yaml:2:");
  EXPECT_EQ(refusalOf("[a]: b\n"), "f.yaml:1:1: a key is a list or a mapping");
  EXPECT_EQ(refusalOf("a: {<<: b}\n"), "f.yaml:1:9: '<<' stands for mappings only");
  EXPECT_EQ(refusalOf("ok: 1\nbad: \xFF\n"), "f.yaml:2:1: it is not UTF-8");
  EXPECT_EQ(refusalOf("a: b\x04 c\n"), "f.yaml:1:5: the control character U+0004 has no place in YAML");
  EXPECT_EQ(refusalOf(std::string("a\0b", 3)),
            "f.yaml:1:2: the control character U+0000 has no place in YAML");
  EXPECT_NE(refusalOf(", b: c}\n"), "(it was read)");
  EXPECT_EQ(refusalOf("a: 1\nb: \"x\n"), "f.yaml:3:1: a text in quotes has no end");
  for (const char* unclosed : {"a: 'x", "'", "\"", "a: &b \"x\n\n", "[\"x", "!!str 'x\n"})
    EXPECT_NE(refusalOf(unclosed).find("a text in quotes has no end"), std::string::npos) << unclosed;
}

TEST(YamlDocument, IsBoundedInSizeAndDepth) {
  EXPECT_EQ(refusalOf(std::string((256U << 10U) + 1, 'a')),
            "f.yaml: it has 262145 bytes, 262144 are the most");
  EXPECT_TRUE(readYaml(repeated(64, "[") + repeated(64, "]"), "f.yaml"));
  EXPECT_EQ(refusalOf(repeated(65, "[") + repeated(65, "]")),
            "f.yaml:1:65: values are nested deeper than 64 levels");
  for (const char* opening : {"[", "{", "- ", "? ", "a: {", "[{"})
    EXPECT_NE(refusalOf(repeated(2000, opening)), "(it was read)") << opening;
  EXPECT_NE(refusalOf(repeated(1000, "!")), "(it was read)");
}

TEST(YamlDocument, AliasesDoNotBlowUp) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  std::string chain = "a0: &a0 [x]\n";
  for (int i = 1; i < 80; ++i) {
    const std::string alias = fmt::format("*a{}", i - 1);
    bomb += fmt::format("a{}: &a{} [{}]\n", i, i, repeated(9, alias + ", ") + alias);
    chain += fmt::format("a{}: &a{} [{}]\n", i, i, alias);
  }
  EXPECT_NE(refusalOf(bomb).find("more values than is reasonable"), std::string::npos);
  EXPECT_NE(refusalOf(chain).find("nest too deep"), std::string::npos);
  const std::string large =
      "a: &a " + std::string(100'000, 'x') + "\nb: [" + repeated(20'000, "*a, ") + "]\n";
  EXPECT_NE(refusalOf(large).find("more values than is reasonable"), std::string::npos);
  const std::string merges =
      "a: &a {k: " + std::string(100'000, 'x') + "}\n" + repeated(9'000, "- {<<: *a}\n");
  EXPECT_NE(refusalOf("l:\n" + merges.substr(merges.find('\n') + 1)), "(it was read)");
}

}  // namespace
}  // namespace lockstep
