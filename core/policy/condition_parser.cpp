// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/condition_parser.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

using Operator = PolicyTest::Operator;

constexpr int kDeepest = 16;  // all {…} and any {…} within each other

bool isOfRule(const std::string& variable) {
  constexpr std::array kKnown{"resource.type", "resource.id", "resource.compartment.id", "instance.id",
                              "instance.compartment.id"};
  return variable.starts_with("tag.") || std::ranges::find(kKnown, variable) != kKnown.end();
}

}  // namespace

ConditionParser::Parsed ConditionParser::condition(int depth) {
  if (depth > kDeepest) return tl::unexpected(here("the conditions are nested too deeply"));
  if (read_.keyword("all")) return group(PolicyCondition::Kind::All, depth);
  if (read_.keyword("any")) return group(PolicyCondition::Kind::Any, depth);
  PolicyTest test;
  for (const auto part : {&ConditionParser::variable, &ConditionParser::comparison, &ConditionParser::values})
    if (auto wrong = (this->*part)(test)) return tl::unexpected(*wrong);
  return conditionOf(std::move(test));
}

ConditionParser::Parsed ConditionParser::group(PolicyCondition::Kind kind, int depth) {
  PolicyCondition group{kind, {}, {}};
  if (!read_.sign('{')) return tl::unexpected(here("'{' is missing before the conditions"));
  do {
    auto part = condition(depth + 1);
    if (!part) return part;
    group.parts.push_back(*std::move(part));
  } while (read_.sign(','));
  if (!read_.sign('}'))
    return tl::unexpected(here("'}' is missing behind the conditions", "put ',' between two conditions"));
  return group;
}

ConditionParser::Wrong ConditionParser::variable(PolicyTest& test) {
  const std::size_t place = read_.place();
  const std::string word = read_.word();
  const std::string lower = lowerCased(word);
  const bool isTag = lower.starts_with("tag.") || lower.find(".tag.") != std::string::npos;
  test.variable = isTag ? word : lower;
  if (isRule_ ? isOfRule(lower) : lower.starts_with("target.") || lower.starts_with("request."))
    return std::nullopt;
  return PolicyMistake{"condition", place,
                       word.empty() ? "a condition is missing" : "'" + word + "' cannot be asked about",
                       isRule_ ? "use resource.type, resource.id, resource.compartment.id, instance.id, "
                                 "instance.compartment.id or tag.NAMESPACE.KEY.value"
                               : "variables begin with target. or request."};
}

ConditionParser::Wrong ConditionParser::comparison(PolicyTest& test) {
  if (read_.sign('!')) {
    test.op = Operator::NotEqual;
    return read_.sign('=') ? std::nullopt : Wrong(here("'=' is missing behind '!'"));
  }
  if (read_.sign('=')) return std::nullopt;
  if (!isRule_) return wordComparison(test);
  test.op = Operator::Exists;
  return lowerCased(test.variable).starts_with("tag.") ? std::nullopt : Wrong(here("'=' or '!=' is missing"));
}

ConditionParser::Wrong ConditionParser::wordComparison(PolicyTest& test) {
  const bool isNot = read_.keyword("not");
  if (read_.keyword("in")) {
    test.op = isNot ? Operator::NotIn : Operator::In;
    return std::nullopt;
  }
  for (const auto& [word, op] : {std::pair{"before", Operator::Before}, std::pair{"after", Operator::After},
                                 std::pair{"between", Operator::Between}}) {
    if (isNot || !read_.keyword(word)) continue;
    test.op = op;
    return std::nullopt;
  }
  return here("the comparison is missing", "use =, !=, in, not in, before, after or between");
}

ConditionParser::Wrong ConditionParser::values(PolicyTest& test) {
  if (test.op == Operator::Exists) return std::nullopt;
  if (test.op == Operator::Between) {
    if (auto wrong = value(test)) return wrong;
    if (!read_.keyword("and")) return here("'and' is missing between the two values");
    return value(test);
  }
  if (test.op != Operator::In && test.op != Operator::NotIn) return value(test);
  if (!read_.sign('(')) return here("'(' is missing before the values", "write: in ('a', 'b')");
  do {
    if (auto wrong = value(test)) return wrong;
  } while (read_.sign(','));
  return read_.sign(')') ? std::nullopt : Wrong(here("')' is missing behind the values"));
}

ConditionParser::Wrong ConditionParser::value(PolicyTest& test) {
  using Kind = PolicyTest::Value::Kind;
  if (auto text = read_.quoted()) {
    test.values.push_back({*std::move(text), Kind::Text});
    return std::nullopt;
  }
  if (auto text = read_.pattern()) {
    test.values.push_back({*std::move(text), Kind::Pattern});
    return std::nullopt;
  }
  const std::string word = lowerCased(read_.nextWord());
  if (!isRule_ && (word.starts_with("target.") || word.starts_with("request."))) {
    read_.word();
    test.values.push_back({word, Kind::Variable});
    return std::nullopt;
  }
  return here("a value is missing", "put it in single quotes, or a pattern between slashes: /run-*/");
}

}  // namespace lockstep
