// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_fields.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace lockstep {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// One value of each type; "missing" is in none of the tests' objects.
const json kAll = {{"null", nullptr},          {"text", "x"},     {"empty", ""}, {"whole", 7},
                   {"negative", -7},           {"fraction", 0.5}, {"yes", true}, {"no", false},
                   {"object", {{"inner", 1}}}, {"array", {1, 2}}};

const std::array<json, 6> kNoObjects{
    json(), json("text"), json(7), json(true), json::array({"text"}), json::parse("{broken", nullptr, false)};

TEST(JsonFields, ReadsTexts) {
  EXPECT_EQ(stringField(kAll, "text"), "x");
  EXPECT_EQ(stringField(kAll, "text", "other"), "x");
  EXPECT_EQ(stringField(kAll, "empty", "other"), "") << "empty is not missing";
  for (const char* key : {"missing", "null", "whole", "fraction", "yes", "object", "array"}) {
    EXPECT_EQ(stringField(kAll, key), "") << key;
    EXPECT_EQ(stringField(kAll, key, "other"), "other") << key;
  }
  for (const json& none : kNoObjects)
    EXPECT_EQ(stringField(none, "text", "other"), "other") << none.type_name();
}

TEST(JsonFields, FindsKeysThatDoNotEndInANull) {
  const std::string_view longer = "textual";
  EXPECT_EQ(stringField(kAll, longer.substr(0, 4)), "x");
  EXPECT_EQ(stringField(kAll, longer), "");
  EXPECT_EQ(stringField(json{{"", "nameless"}}, ""), "nameless");
}

TEST(JsonFields, ReadsWholeNumbers) {
  EXPECT_EQ(integerField(kAll, "whole"), 7);
  EXPECT_EQ(integerField(kAll, "negative"), -7);
  for (const char* key : {"missing", "null", "text", "fraction", "yes", "object", "array"})
    EXPECT_EQ(integerField(kAll, key), std::nullopt) << key;
  for (const json& none : kNoObjects)
    EXPECT_EQ(integerField(none, "whole"), std::nullopt) << none.type_name();
}

TEST(JsonFields, ReadsWholeNumbersToTheEndsOf64Bits) {
  const json numbers = json::parse(R"({"most": 9223372036854775807, "least": -9223372036854775808,
      "more": 9223372036854775808, "unsigned": 18446744073709551615, "huge": 100000000000000000000,
      "point": 1.0, "exponent": 1e3, "text": "7"})");
  EXPECT_EQ(integerField(numbers, "most"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integerField(numbers, "least"), std::numeric_limits<std::int64_t>::min());
  for (const char* key : {"more", "unsigned", "huge", "point", "exponent", "text"})
    EXPECT_EQ(integerField(numbers, key), std::nullopt) << key;
}

TEST(JsonFields, ReadsNumbers) {
  EXPECT_EQ(numberField(kAll, "whole"), 7.0);
  EXPECT_EQ(numberField(kAll, "negative"), -7.0);
  EXPECT_EQ(numberField(kAll, "fraction"), 0.5);
  EXPECT_EQ(numberField(json::parse(R"({"unsigned": 18446744073709551615})"), "unsigned"),
            18446744073709551616.0);
  for (const char* key : {"missing", "null", "text", "yes", "object", "array"})
    EXPECT_EQ(numberField(kAll, key), std::nullopt) << key;
  for (const json& none : kNoObjects) EXPECT_EQ(numberField(none, "whole"), std::nullopt) << none.type_name();
}

TEST(JsonFields, ReadsBooleans) {
  for (const bool otherwise : {false, true}) {
    EXPECT_TRUE(boolField(kAll, "yes", otherwise));
    EXPECT_FALSE(boolField(kAll, "no", otherwise));
    for (const char* key : {"missing", "null", "text", "whole", "fraction", "object", "array"})
      EXPECT_EQ(boolField(kAll, key, otherwise), otherwise) << key;
    for (const json& none : kNoObjects)
      EXPECT_EQ(boolField(none, "yes", otherwise), otherwise) << none.type_name();
  }
}

TEST(JsonFields, ReadsObjects) {
  EXPECT_EQ(&objectField(kAll, "object"), &kAll["object"]);
  for (const char* key : {"missing", "null", "text", "whole", "fraction", "yes", "array"})
    EXPECT_EQ(objectField(kAll, key), json::object()) << key;
  for (const json& none : kNoObjects)
    EXPECT_EQ(objectField(none, "object"), json::object()) << none.type_name();
  EXPECT_EQ(integerField(objectField(kAll, "object"), "inner"), 1);
  EXPECT_EQ(integerField(objectField(objectField(kAll, "missing"), "object"), "inner"), std::nullopt);
}

TEST(JsonFields, ReadsArrays) {
  EXPECT_EQ(&arrayField(kAll, "array"), &kAll["array"]);
  for (const char* key : {"missing", "null", "text", "whole", "fraction", "yes", "object"})
    EXPECT_EQ(arrayField(kAll, key), json::array()) << key;
  for (const json& none : kNoObjects) EXPECT_EQ(arrayField(none, "array"), json::array()) << none.type_name();
}

TEST(JsonFields, ReadsObjectsThatKeepTheirOrder) {
  const ordered_json body = {{"name", "x"}, {"number", 1}, {"null", nullptr}, {"inner", {{"name", "y"}}}};
  EXPECT_EQ(stringField(body, "name"), "x");
  EXPECT_EQ(stringField(body, "number", "other"), "other");
  EXPECT_EQ(stringField(body, "null", "other"), "other");
  EXPECT_EQ(stringField(body, "missing"), "");
  EXPECT_EQ(stringField(ordered_json(7), "name"), "");
  EXPECT_EQ(&objectField(body, "inner"), &body["inner"]);
  EXPECT_EQ(stringField(objectField(body, "name"), "name"), "");
  EXPECT_EQ(objectField(ordered_json(), "inner"), ordered_json::object());
}

}  // namespace
}  // namespace lockstep
