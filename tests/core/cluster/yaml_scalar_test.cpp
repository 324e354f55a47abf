// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/yaml_scalar.h"

#include <gtest/gtest.h>

#include "cluster/yaml/python_number.h"
#include "cluster/yaml/python_text.h"
#include "cluster/yaml/yaml_tree.h"

namespace lockstep {
namespace {

struct ScalarCase {
  const char* raw;
  ScalarType type;
  const char* text;
  const char* repr;
};

// What PyYAML 6 with Python 3.11 makes of each: type, str(), repr().
constexpr ScalarCase kScalars[] = {
    {"yes", ScalarType::Bool, "True", "True"},
    {"Yes", ScalarType::Bool, "True", "True"},
    {"YES", ScalarType::Bool, "True", "True"},
    {"no", ScalarType::Bool, "False", "False"},
    {"No", ScalarType::Bool, "False", "False"},
    {"NO", ScalarType::Bool, "False", "False"},
    {"on", ScalarType::Bool, "True", "True"},
    {"On", ScalarType::Bool, "True", "True"},
    {"ON", ScalarType::Bool, "True", "True"},
    {"off", ScalarType::Bool, "False", "False"},
    {"Off", ScalarType::Bool, "False", "False"},
    {"OFF", ScalarType::Bool, "False", "False"},
    {"true", ScalarType::Bool, "True", "True"},
    {"True", ScalarType::Bool, "True", "True"},
    {"TRUE", ScalarType::Bool, "True", "True"},
    {"false", ScalarType::Bool, "False", "False"},
    {"False", ScalarType::Bool, "False", "False"},
    {"FALSE", ScalarType::Bool, "False", "False"},
    {"y", ScalarType::String, "y", "'y'"},
    {"n", ScalarType::String, "n", "'n'"},
    {"Y", ScalarType::String, "Y", "'Y'"},
    {"N", ScalarType::String, "N", "'N'"},
    {"yEs", ScalarType::String, "yEs", "'yEs'"},
    {"tRUE", ScalarType::String, "tRUE", "'tRUE'"},
    {"~", ScalarType::Null, "None", "None"},
    {"null", ScalarType::Null, "None", "None"},
    {"Null", ScalarType::Null, "None", "None"},
    {"NULL", ScalarType::Null, "None", "None"},
    {"nULL", ScalarType::String, "nULL", "'nULL'"},
    {"010", ScalarType::Int, "8", "8"},
    {"00", ScalarType::Int, "0", "0"},
    {"0", ScalarType::Int, "0", "0"},
    {"-0", ScalarType::Int, "0", "0"},
    {"+0", ScalarType::Int, "0", "0"},
    {"0o17", ScalarType::String, "0o17", "'0o17'"},
    {"08", ScalarType::String, "08", "'08'"},
    {"09", ScalarType::String, "09", "'09'"},
    {"007", ScalarType::Int, "7", "7"},
    {"0_7", ScalarType::Int, "7", "7"},
    {"0_", ScalarType::Int, "0", "0"},
    {"-010", ScalarType::Int, "-8", "-8"},
    {"+010", ScalarType::Int, "8", "8"},
    {"0x1F", ScalarType::Int, "31", "31"},
    {"0x1f", ScalarType::Int, "31", "31"},
    {"0xFF_FF", ScalarType::Int, "65535", "65535"},
    {"-0x10", ScalarType::Int, "-16", "-16"},
    {"0x", ScalarType::String, "0x", "'0x'"},
    {"0b101", ScalarType::Int, "5", "5"},
    {"0b2", ScalarType::String, "0b2", "'0b2'"},
    {"-0b11", ScalarType::Int, "-3", "-3"},
    {"0b1_0", ScalarType::Int, "2", "2"},
    {"1_000", ScalarType::Int, "1000", "1000"},
    {"_1", ScalarType::String, "_1", "'_1'"},
    {"1_", ScalarType::Int, "1", "1"},
    {"1__0", ScalarType::Int, "10", "10"},
    {"+5", ScalarType::Int, "5", "5"},
    {"-5", ScalarType::Int, "-5", "-5"},
    {"12345678901234567890123", ScalarType::Int, "12345678901234567890123", "12345678901234567890123"},
    {"-99999999999999999999", ScalarType::Int, "-99999999999999999999", "-99999999999999999999"},
    {"0xFFFFFFFFFFFFFFFFFFFFFFFF", ScalarType::Int, "79228162514264337593543950335",
     "79228162514264337593543950335"},
    {"1:30", ScalarType::Int, "90", "90"},
    {"12:30:45", ScalarType::Int, "45045", "45045"},
    {"-1:30", ScalarType::Int, "-90", "-90"},
    {"10:61", ScalarType::String, "10:61", "'10:61'"},
    {"1:5", ScalarType::Int, "65", "65"},
    {"1:60", ScalarType::String, "1:60", "'1:60'"},
    {"01:30", ScalarType::String, "01:30", "'01:30'"},
    {"0:30", ScalarType::String, "0:30", "'0:30'"},
    {"190:20:30", ScalarType::Int, "685230", "685230"},
    {"1:30.5", ScalarType::Float, "90.5", "90.5"},
    {"190:20:30.15", ScalarType::Float, "685230.15", "685230.15"},
    {"1:30.", ScalarType::Float, "90.0", "90.0"},
    {"1e3", ScalarType::String, "1e3", "'1e3'"},
    {"1.0e+3", ScalarType::Float, "1000.0", "1000.0"},
    {"1.0e3", ScalarType::String, "1.0e3", "'1.0e3'"},
    {"1.5E-3", ScalarType::Float, "0.0015", "0.0015"},
    {"1.e5", ScalarType::String, "1.e5", "'1.e5'"},
    {"1.e+5", ScalarType::Float, "100000.0", "100000.0"},
    {"1.10", ScalarType::Float, "1.1", "1.1"},
    {"1.", ScalarType::Float, "1.0", "1.0"},
    {".5", ScalarType::Float, "0.5", "0.5"},
    {"-.5", ScalarType::String, "-.5", "'-.5'"},
    {"+.5", ScalarType::String, "+.5", "'+.5'"},
    {"5.", ScalarType::Float, "5.0", "5.0"},
    {"1_000.5", ScalarType::Float, "1000.5", "1000.5"},
    {"0.1", ScalarType::Float, "0.1", "0.1"},
    {"100.0", ScalarType::Float, "100.0", "100.0"},
    {"1e+16", ScalarType::String, "1e+16", "'1e+16'"},
    {"1.0e+15", ScalarType::Float, "1000000000000000.0", "1000000000000000.0"},
    {"1.0e+16", ScalarType::Float, "1e+16", "1e+16"},
    {"1.0e+17", ScalarType::Float, "1e+17", "1e+17"},
    {"123456789012345678.0", ScalarType::Float, "1.2345678901234568e+17", "1.2345678901234568e+17"},
    {"1.0e-4", ScalarType::Float, "0.0001", "0.0001"},
    {"1.0e-5", ScalarType::Float, "1e-05", "1e-05"},
    {"0.0001", ScalarType::Float, "0.0001", "0.0001"},
    {"0.00001", ScalarType::Float, "1e-05", "1e-05"},
    {"1.0e-10", ScalarType::Float, "1e-10", "1e-10"},
    {"123.456", ScalarType::Float, "123.456", "123.456"},
    {"1.7976931348623157e+308", ScalarType::Float, "1.7976931348623157e+308", "1.7976931348623157e+308"},
    {"1.0e+309", ScalarType::Float, "inf", "inf"},
    {"-1.0e+400", ScalarType::Float, "-inf", "-inf"},
    {"1.0e-400", ScalarType::Float, "0.0", "0.0"},
    {"5.0e-324", ScalarType::Float, "5e-324", "5e-324"},
    {"0.30000000000000004", ScalarType::Float, "0.30000000000000004", "0.30000000000000004"},
    {".inf", ScalarType::Float, "inf", "inf"},
    {"-.inf", ScalarType::Float, "-inf", "-inf"},
    {"+.inf", ScalarType::Float, "inf", "inf"},
    {".Inf", ScalarType::Float, "inf", "inf"},
    {".INF", ScalarType::Float, "inf", "inf"},
    {".inF", ScalarType::String, ".inF", "'.inF'"},
    {".nan", ScalarType::Float, "nan", "nan"},
    {".NaN", ScalarType::Float, "nan", "nan"},
    {".NAN", ScalarType::Float, "nan", "nan"},
    {"-.nan", ScalarType::String, "-.nan", "'-.nan'"},
    {"._1", ScalarType::String, "._1", "'._1'"},
    {"1._5", ScalarType::Float, "1.5", "1.5"},
    {"2024-01-31", ScalarType::Timestamp, "2024-01-31", "datetime.date(2024, 1, 31)"},
    {"2024-1-31", ScalarType::String, "2024-1-31", "'2024-1-31'"},
    {"2024-1-3", ScalarType::String, "2024-1-3", "'2024-1-3'"},
    {"2024-01-31T10:20:30", ScalarType::Timestamp, "2024-01-31 10:20:30",
     "datetime.datetime(2024, 1, 31, 10, 20, 30)"},
    {"2024-01-31t10:20:30Z", ScalarType::Timestamp, "2024-01-31 10:20:30+00:00",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, tzinfo=datetime.timezone.utc)"},
    {"2024-1-3T1:02:03.5", ScalarType::Timestamp, "2024-01-03 01:02:03.500000",
     "datetime.datetime(2024, 1, 3, 1, 2, 3, 500000)"},
    {"2024-01-31T10:20:30.123456789Z", ScalarType::Timestamp, "2024-01-31 10:20:30.123456+00:00",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, 123456, tzinfo=datetime.timezone.utc)"},
    {"2024-01-31T10:20:30+02", ScalarType::Timestamp, "2024-01-31 10:20:30+02:00",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, "
     "tzinfo=datetime.timezone(datetime.timedelta(seconds=7200)))"},
    {"2024-01-31T10:20:30+02:30", ScalarType::Timestamp, "2024-01-31 10:20:30+02:30",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, "
     "tzinfo=datetime.timezone(datetime.timedelta(seconds=9000)))"},
    {"2024-01-31T10:20:30-05:00", ScalarType::Timestamp, "2024-01-31 10:20:30-05:00",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, tzinfo=datetime.timezone(datetime.timedelta(days=-1, "
     "seconds=68400)))"},
    {"2024-01-31T10:20:30.Z", ScalarType::Timestamp, "2024-01-31 10:20:30+00:00",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, tzinfo=datetime.timezone.utc)"},
    {"2001-12-14t21:59:43.10-05:00", ScalarType::Timestamp, "2001-12-14 21:59:43.100000-05:00",
     "datetime.datetime(2001, 12, 14, 21, 59, 43, 100000, "
     "tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=68400)))"},
    {"20240131", ScalarType::Int, "20240131", "20240131"},
    {"2024-01-31T10:20", ScalarType::String, "2024-01-31T10:20", "'2024-01-31T10:20'"},
    {"2024-01-31T10:20:30+", ScalarType::String, "2024-01-31T10:20:30+", "'2024-01-31T10:20:30+'"},
    {"v1.0", ScalarType::String, "v1.0", "'v1.0'"},
    {"1.2.3", ScalarType::String, "1.2.3", "'1.2.3'"},
    {"--epochs", ScalarType::String, "--epochs", "'--epochs'"},
    {"-p", ScalarType::String, "-p", "'-p'"},
    {"10", ScalarType::Int, "10", "10"},
    {"hello", ScalarType::String, "hello", "'hello'"},
    {"é☕🚀", ScalarType::String, "é☕🚀", "'é☕🚀'"},
    {"0.0", ScalarType::Float, "0.0", "0.0"},
    {"-0.0", ScalarType::Float, "-0.0", "-0.0"},
    {"1e", ScalarType::String, "1e", "'1e'"},
    {"0x1G", ScalarType::String, "0x1G", "'0x1G'"},
    {"+1:30", ScalarType::Int, "90", "90"},
    {"1:2:3:4", ScalarType::Int, "223384", "223384"},
    {"12e03", ScalarType::String, "12e03", "'12e03'"},
    {"685230.15", ScalarType::Float, "685230.15", "685230.15"},
    {"6.8523015e+5", ScalarType::Float, "685230.15", "685230.15"},
    {"685_230.15", ScalarType::Float, "685230.15", "685230.15"},
    {"a_b", ScalarType::String, "a_b", "'a_b'"},
    {"1,000", ScalarType::String, "1,000", "'1,000'"},
    {"0777", ScalarType::Int, "511", "511"},
    {"07", ScalarType::Int, "7", "7"},
    {"-7", ScalarType::Int, "-7", "-7"},
    {"0b", ScalarType::String, "0b", "'0b'"},
    {"1.23015e+3", ScalarType::Float, "1230.15", "1230.15"},
    {"12.3015e+02", ScalarType::Float, "1230.15", "1230.15"},
    {"1.0e+22", ScalarType::Float, "1e+22", "1e+22"},
    {"1.0e+21", ScalarType::Float, "1e+21", "1e+21"},
    {"9007199254740993.0", ScalarType::Float, "9007199254740992.0", "9007199254740992.0"},
    {"2.5", ScalarType::Float, "2.5", "2.5"},
    {"3.0e+0", ScalarType::Float, "3.0", "3.0"},
    {"2024-01-31 10:20:30", ScalarType::Timestamp, "2024-01-31 10:20:30",
     "datetime.datetime(2024, 1, 31, 10, 20, 30)"},
    {"2024-01-31 10:20:30 +1", ScalarType::Timestamp, "2024-01-31 10:20:30+01:00",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, "
     "tzinfo=datetime.timezone(datetime.timedelta(seconds=3600)))"},
    {"2024-01-31 10:20:30 Z", ScalarType::Timestamp, "2024-01-31 10:20:30+00:00",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, tzinfo=datetime.timezone.utc)"},
    {"2024-01-31  10:20:30.5 -3:30", ScalarType::Timestamp, "2024-01-31 10:20:30.500000-03:30",
     "datetime.datetime(2024, 1, 31, 10, 20, 30, 500000, "
     "tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=73800)))"},
    {"2001-12-14 21:59:43.10 -5", ScalarType::Timestamp, "2001-12-14 21:59:43.100000-05:00",
     "datetime.datetime(2001, 12, 14, 21, 59, 43, 100000, "
     "tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=68400)))"},
    {"2024-01-31T00:00:00-00:00", ScalarType::Timestamp, "2024-01-31 00:00:00+00:00",
     "datetime.datetime(2024, 1, 31, 0, 0, tzinfo=datetime.timezone.utc)"},
    {"0001-01-01", ScalarType::Timestamp, "0001-01-01", "datetime.date(1, 1, 1)"},
};

TEST(YamlScalar, ReadsBareTextAsPyYamlDoes) {
  for (const ScalarCase& c : kScalars) {
    const YamlScalar scalar = resolvePlain(c.raw);
    EXPECT_EQ(scalar.type, c.type) << c.raw;
    EXPECT_EQ(scalar.text, c.text) << c.raw;
    EXPECT_EQ(scalar.repr(), c.repr) << c.raw;
  }
}

TEST(YamlScalar, RefusesWhatPyYamlCannotLoad) {
  for (const char* raw : {"2024-13-01", "2024-02-30", "2023-02-29", "2024-01-31T25:00:00", "0000-01-01",
                          "2024-01-31T10:60:00", "2024-01-31T10:20:30+24:00", "0b_", "0x_", "="}) {
    const YamlScalar scalar = resolvePlain(raw);
    EXPECT_EQ(scalar.type, ScalarType::Invalid) << raw;
    EXPECT_FALSE(scalar.error.empty()) << raw;
  }
}

TEST(YamlScalar, BoundsIntegersAsPythonDoes) {
  EXPECT_EQ(resolvePlain(std::string(4300, '9')).type, ScalarType::Int);
  EXPECT_EQ(resolvePlain(std::string(4301, '9')).type, ScalarType::Invalid);
  EXPECT_EQ(resolvePlain("0x" + std::string(1'000'000, 'F')).type, ScalarType::Invalid);
}

/// The value of `a` in a document.
std::string strOf(const std::string& yaml) {
  const auto tree = YamlTree::parse(yaml);
  EXPECT_TRUE(tree) << yaml;
  if (!tree) return {};
  const auto node = tree->find({"a"});
  EXPECT_TRUE(node) << yaml;
  return node ? pythonStr(*tree, *node) : std::string();
}

TEST(PythonText, QuotesAndTagsDecideTheType) {
  EXPECT_EQ(strOf("a: 010"), "8");
  EXPECT_EQ(strOf("a: '010'"), "010");
  EXPECT_EQ(strOf("a: \"yes\""), "yes");
  EXPECT_EQ(strOf("a: !!str 010"), "010");
  EXPECT_EQ(strOf("a: !!int '010'"), "8");
  EXPECT_EQ(strOf("a: !!float 3"), "3.0");
  EXPECT_EQ(strOf("a: |\n  yes\n"), "yes\n");
  EXPECT_EQ(strOf("a: >-\n  one\n  two\n"), "one two");
  EXPECT_EQ(strOf("a:"), "None");
}

TEST(PythonText, WritesListsAndMappingsAsPythonLiterals) {
  EXPECT_EQ(strOf("a: [1, a, ~, yes, 1.10]"), "[1, 'a', None, True, 1.1]");
  EXPECT_EQ(strOf("a: {k: v, 010: [x]}"), "{'k': 'v', 8: ['x']}");
  EXPECT_EQ(strOf("a: [\"it's\", 'say \"hi\"', \"both ' and \\\"\"]"),
            "[\"it's\", 'say \"hi\"', 'both \\' and \"']");
  EXPECT_EQ(strOf("a: [\"\\t\\n\\x01\", \"é☕\", \"\\xA0\\u2028\", '\\']"),
            "['\\t\\n\\x01', 'é☕', '\\xa0\\u2028', '\\\\']");
  EXPECT_EQ(strOf("a: []"), "[]");
  EXPECT_EQ(strOf("a: {}"), "{}");
  EXPECT_EQ(strOf("a: [2024-01-31]"), "[datetime.date(2024, 1, 31)]");
  EXPECT_EQ(strOf("a: [[1, [2]], {}]"), "[[1, [2]], {}]");
}

TEST(PythonText, MergesAndDoubledKeysKeepPythonsOrder) {
  EXPECT_EQ(strOf("b: &b {x: 1, y: 2}\na: {z: 0, <<: *b, x: 9}"), "{'x': 9, 'y': 2, 'z': 0}");
  EXPECT_EQ(strOf("b: &b {x: 1}\nc: &c {x: 2, w: 3}\na: {<<: [*b, *c]}"), "{'x': 1, 'w': 3}");
  EXPECT_EQ(strOf("a: {x: 1, y: 2, x: 3}"), "{'x': 3, 'y': 2}");
  EXPECT_EQ(strOf("b: &b [1, 2]\na: [*b, *b]"), "[[1, 2], [1, 2]]");
}

TEST(PythonNumber, WritesTheShortestFloatThatReadsBack) {
  for (const double value :
       {0.1, 1e15, 1e16, 1e-4, 1e-5, 123456.789, 5e-324, 1.7976931348623157e308, 2.0 / 3.0})
    EXPECT_EQ(floatOf(floatRepr(value)), value) << floatRepr(value);
}

}  // namespace
}  // namespace lockstep
