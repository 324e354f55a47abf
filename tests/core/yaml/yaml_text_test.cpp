// SPDX-License-Identifier: GPL-3.0-or-later
// What is written is read back by libyaml, which PyYAML and Go's readers follow, and by our own reader. Python's:
// tests/core/export/quoting_test.cpp.
#include "yaml/yaml_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/text/encoding.h"
#include "cluster/yaml/yaml_scalar.h"
#include "tests/core/export/hostile_values.h"
#include "yaml/yaml_document.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::string scalarOf(const std::string& text) {
  return yamlText(Json(text)).value_or("(refused)");
}

/// As bytes, so that a difference can be seen.
void expectBack(const std::string& text) {
  const std::string yaml = yamlText(Json{{"the list", Json::array({text})}, {text, 1}}).value_or("(refused)");
  const auto tree = YamlTree::parse(yaml);
  ASSERT_TRUE(tree) << toHex(text) << "\n" << yaml << tree.error().message;
  const YamlNode& root = tree->node(*tree->root());
  const YamlNode& item = tree->node(tree->node(root.children[1]).children[0]);
  EXPECT_EQ(toHex(item.value), toHex(text)) << yaml;
  EXPECT_EQ(resolveScalar(item).type, ScalarType::String) << yaml;
  EXPECT_EQ(toHex(tree->node(root.children[2]).value), toHex(text)) << yaml;
  EXPECT_FALSE(tree->isMergeKey(root.children[2])) << yaml;
  const auto value = readYaml(yaml, "written");
  ASSERT_TRUE(value) << describe(value.error()) << yaml;
  EXPECT_EQ(toHex(value->find("the list")->items[0].text), toHex(text)) << yaml;
}

std::string utf8Of(char32_t c) {
  const auto byte = [](char32_t value) { return static_cast<char>(value); };
  if (c < 0x80U) return {byte(c)};
  if (c < 0x800U) return {byte(0xC0U | (c >> 6U)), byte(0x80U | (c & 0x3FU))};
  if (c < 0x10000U)
    return {byte(0xE0U | (c >> 12U)), byte(0x80U | ((c >> 6U) & 0x3FU)), byte(0x80U | (c & 0x3FU))};
  return {byte(0xF0U | (c >> 18U)), byte(0x80U | ((c >> 12U) & 0x3FU)), byte(0x80U | ((c >> 6U) & 0x3FU)),
          byte(0x80U | (c & 0x3FU))};
}

TEST(YamlText, OfHostileValuesComesBack) {
  for (const std::string& value : hostileValues()) expectBack(value);
  for (const std::string& value : drawnValues(2000, 20261123)) expectBack(value);
}

TEST(YamlText, OfEveryOddCharacterComesBack) {
  for (char32_t c = 0; c < 0x100U; ++c) expectBack("a" + utf8Of(c) + "b");
  for (const char32_t c :
       {0x2027U, 0x2028U, 0x2029U, 0x202AU, 0xD7FFU, 0xE000U,  0xFDCFU,  0xFDD0U,  0xFDEFU,  0xFDF0U,
        0xFEFEU, 0xFEFFU, 0xFFFDU, 0xFFFEU, 0xFFFFU, 0x10000U, 0x1FFFEU, 0x1FFFFU, 0x20000U, 0x10FFFFU}) {
    expectBack(utf8Of(c));
    expectBack("a\n\"\\" + utf8Of(c) + " \u00e9\xF0\x9F\x9A\x80 ");
  }
}

TEST(YamlText, OfLongTextsComesBack) {
  for (const char c : {'x', ' ', '\'', '\n'}) expectBack(std::string(2000, c));
  expectBack(std::string(2000, 'x') + ": " + std::string(200, ' ') + "#");
}

TEST(YamlText, StandsInQuotesUnlessItIsPlainlyAWord) {
  for (const char* word :
       {"y",    "n",    "yes",        "No",  "ON",   "off",   "true", "False",    "null", "NULL",
        "0o17", "1e3",  "1E3",        "010", "0x1f", "1_000", "1.5",  "12:30:00", ".inf", ".nan",
        "~",    "2024", "2024-01-31", "+1",  "-1",   "<<",    "=",    "",         " a",   "a ",
        "a: b", "a:",   "a #b",       "*a",  "&a",   "!a",    "@a",   "%a",       "- a",  "? a",
        "---",  "...",  "[a]",        "{a}", "|",    ">",     "`a`",  "a, b",     "\"",   "'"})
    EXPECT_EQ(quotesFor(word), YamlQuotes::Single) << word;
  for (const char* word :
       {"a\nb", "\t", "\r", "\x1B[0m", "\x7F", "\xC2\x85", "\xE2\x80\xA8", "\xEF\xBB\xBFx"})
    EXPECT_EQ(quotesFor(word), YamlQuotes::Double) << word;
  for (const char* word : {"None", "iad.ocir.io/team/net:1", "oci://bucket@space/a_b", "/code/train.py",
                           "nvidia.com/gpu", "yesterday", "nullable", "e3"})
    EXPECT_EQ(quotesFor(word), YamlQuotes::None) << word;
  EXPECT_EQ(scalarOf("it's \u2615"), "'it''s \u2615'\n");
  EXPECT_EQ(scalarOf("a\nb"), "\"a\\nb\"\n");
}

TEST(YamlText, IsBlockYamlOfTheWholeTree) {
  const Json tree = {{"n", 3},
                     {"big", std::numeric_limits<std::uint64_t>::max()},
                     {"least", std::numeric_limits<std::int64_t>::min()},
                     {"half", 0.5},
                     {"huge", 1e20},
                     {"yes", true},
                     {"none", nullptr},
                     {"list", {1, {{"first", "one"}, {"second", Json::array({"b"})}}, Json::array({2, 3})}},
                     {"empty", {{"map", Json::object()}, {"list", Json::array()}}}};
  EXPECT_EQ(yamlText(tree).value_or("(refused)"),
            "'n': 3\nbig: 18446744073709551615\nleast: -9223372036854775808\nhalf: 0.5\nhuge: "
            "1.0e+20\n'yes': true\n"
            "none: null\nlist:\n  - 1\n  - first: one\n    second:\n      - 'b'\n  -\n    - 2\n    - 3\n"
            "empty:\n  map: {}\n  list: []\n");
}

TEST(YamlText, BeginsWithItsComment) {
  EXPECT_EQ(yamlText({{"key", "value"}}, "One line.\nAnother: one.").value_or("(refused)"),
            "# One line.\n# Another: one.\nkey: value\n");
}

TEST(YamlText, WhichIsNotUtf8IsRefused) {
  for (const char* bytes : {"\xFF", "a\xC3", "\xED\xA0\x80", "\xC0\x80"}) {
    const auto text = yamlText(Json{{"a", {{"b", bytes}}}});
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(text.error().cause.find("UTF-8"), std::string::npos);
    EXPECT_FALSE(yamlText(Json{{bytes, 1}}));
  }
}

}  // namespace
}  // namespace lockstep
