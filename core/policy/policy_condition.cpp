// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy_condition.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "policy/policy_words.h"

namespace lockstep {
namespace {

using Operator = PolicyTest::Operator;
using Value = PolicyTest::Value;

constexpr std::size_t kMaxAlternatives = 512;  // of one condition, taken apart

// Whether `pattern` takes in all that `inner` does. A '*' of inner may stand for anything, so only a '*' of
// the pattern takes it in.
bool takesIn(std::string_view pattern, std::string_view inner) {
  std::size_t p = 0, i = 0, star = std::string_view::npos, from = 0;
  while (i < inner.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = i;
    } else if (p < pattern.size() && inner[i] != '*' && pattern[p] == inner[i]) {
      ++p;
      ++i;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      i = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool isWithin(const Value& inner, const Value& outer) {
  if (inner.kind == Value::Kind::Variable || outer.kind == Value::Kind::Variable) return inner == outer;
  const std::string in = lowerCased(inner.text), out = lowerCased(outer.text);
  if (outer.kind == Value::Kind::Pattern) {
    // A text with a '*' is that very text; it could not be told from a pattern here.
    const bool isOdd = inner.kind == Value::Kind::Text && in.find('*') != std::string::npos;
    return !isOdd && takesIn(out, in);
  }
  return inner.kind == Value::Kind::Text && in == out;
}

// Whether no text is in both. In doubt: no.
bool areApart(const Value& a, const Value& b) {
  if (a.kind == Value::Kind::Variable || b.kind == Value::Kind::Variable) return false;
  if (a.kind == Value::Kind::Text && b.kind == Value::Kind::Text) return !isSameWord(a.text, b.text);
  if (a.kind == Value::Kind::Text) return !isWithin(a, b);
  if (b.kind == Value::Kind::Text) return !isWithin(b, a);
  const std::string one = lowerCased(a.text), other = lowerCased(b.text);
  const std::size_t heads = std::min(one.find('*'), other.find('*'));
  return heads != std::string::npos && one.substr(0, heads) != other.substr(0, heads);
}

// Only these may have several values at a time, so that one value does not rule out another.
bool hasManyValues(const std::string& variable) {
  return variable == "request.groups.id" || variable.ends_with(".groups.id");
}

bool isPositive(Operator op) {
  return op == Operator::Equal || op == Operator::In;
}
bool isNegative(Operator op) {
  return op == Operator::NotEqual || op == Operator::NotIn;
}

// known: one value, that it is (Equal) or is not (NotEqual).
bool excludes(const PolicyTest& known, const Value& value) {
  if (known.op == Operator::Equal)
    return !hasManyValues(known.variable) && areApart(known.values.front(), value);
  return known.op == Operator::NotEqual && isWithin(value, known.values.front());
}

bool followsFrom(const PolicyTest& wanted, const PolicyTest& known) {
  if (wanted.variable != known.variable) return false;
  if (wanted == known || wanted.op == Operator::Exists) return true;
  if (isPositive(wanted.op))
    return known.op == Operator::Equal && std::ranges::any_of(wanted.values, [&](const Value& value) {
             return isWithin(known.values.front(), value);
           });
  if (wanted.op == Operator::Before && known.op == Operator::Before)
    return known.values.front().text <= wanted.values.front().text;
  if (wanted.op == Operator::After && known.op == Operator::After)
    return known.values.front().text >= wanted.values.front().text;
  return false;
}

bool follows(const PolicyTest& wanted, const PolicyFacts& known) {
  if (std::ranges::any_of(known, [&](const PolicyTest& k) { return followsFrom(wanted, k); })) return true;
  // Each value that it must not be may be ruled out by another fact.
  return isNegative(wanted.op) && std::ranges::all_of(wanted.values, [&](const Value& value) {
           return std::ranges::any_of(known, [&](const PolicyTest& k) {
             return k.variable == wanted.variable && excludes(k, value);
           });
         });
}

bool follows(const PolicyCondition& wanted, const PolicyFacts& known) {
  const auto part = [&](const PolicyCondition& p) { return follows(p, known); };
  switch (wanted.kind) {
    case PolicyCondition::Kind::All:
      return std::ranges::all_of(wanted.parts, part);
    case PolicyCondition::Kind::Any:
      return std::ranges::any_of(wanted.parts, part);
    case PolicyCondition::Kind::Test:
      return follows(wanted.test, known);
  }
  return false;
}

bool isContradiction(const PolicyFacts& facts) {
  for (std::size_t i = 0; i < facts.size(); ++i)
    for (std::size_t j = 0; j < facts.size(); ++j) {
      const PolicyTest &a = facts[i], &b = facts[j];
      if (i != j && a.variable == b.variable && b.op == Operator::Equal && excludes(a, b.values.front()))
        return true;
    }
  return false;
}

using Alternatives = std::optional<std::vector<PolicyFacts>>;  // nullopt: too many

std::vector<PolicyFacts> alternativesOf(const PolicyTest& test) {
  const auto single = [&](Operator op, const Value& value) { return PolicyTest{test.variable, op, {value}}; };
  std::vector<PolicyFacts> all;
  if (isPositive(test.op)) {
    for (const Value& value : test.values) all.push_back({single(Operator::Equal, value)});
  } else if (isNegative(test.op)) {
    all.emplace_back();
    for (const Value& value : test.values) all.front().push_back(single(Operator::NotEqual, value));
  } else {
    all.push_back({test});
  }
  return all;
}

// As an "or" of "and"s.
Alternatives alternativesOf(const PolicyCondition& condition) {
  if (condition.kind == PolicyCondition::Kind::Test) return alternativesOf(condition.test);
  const bool isAll = condition.kind == PolicyCondition::Kind::All;
  std::vector<PolicyFacts> all;
  if (isAll) all.emplace_back();
  for (const PolicyCondition& part : condition.parts) {
    const auto some = alternativesOf(part);
    if (!some) return std::nullopt;
    if (!isAll) {
      all.insert(all.end(), some->begin(), some->end());
    } else {
      std::vector<PolicyFacts> both;
      for (const PolicyFacts& left : all)
        for (const PolicyFacts& right : *some) {
          both.push_back(left);
          both.back().insert(both.back().end(), right.begin(), right.end());
        }
      all = std::move(both);
    }
    if (all.size() > kMaxAlternatives) return std::nullopt;
  }
  return all;
}

std::string toText(const Value& value) {
  if (value.kind == Value::Kind::Variable) return value.text;
  if (value.kind == Value::Kind::Pattern) return "/" + value.text + "/";
  const char quote = value.text.find('\'') == std::string::npos ? '\'' : '"';
  return quote + value.text + quote;
}

std::string valuesText(const PolicyTest& test) {
  const bool isList = test.op == Operator::In || test.op == Operator::NotIn;
  std::string text;
  for (const Value& value : test.values) {
    if (!text.empty()) text += isList ? ", " : " and ";
    text += toText(value);
  }
  return isList ? "(" + text + ")" : text;
}

std::string toText(const PolicyTest& test) {
  static constexpr std::array kOperators{"=", "!=", "in", "not in", "before", "after", "between"};
  if (test.op == Operator::Exists) return test.variable;
  return test.variable + " " + kOperators[static_cast<std::size_t>(test.op)] + " " + valuesText(test);
}

}  // namespace

PolicyTest isEqualTest(std::string variable, std::string value) {
  return {std::move(variable), Operator::Equal, {{std::move(value)}}};
}

PolicyCondition conditionOf(PolicyTest test) {
  return {PolicyCondition::Kind::Test, {}, std::move(test)};
}

PolicyCondition isOneOf(const std::string& variable, const std::vector<std::string>& values) {
  if (values.size() == 1) return conditionOf(isEqualTest(variable, values.front()));
  PolicyCondition any{PolicyCondition::Kind::Any, {}, {}};
  for (const std::string& value : values) any.parts.push_back(conditionOf(isEqualTest(variable, value)));
  return any;
}

std::string toText(const PolicyCondition& condition) {
  if (condition.kind == PolicyCondition::Kind::Test) return toText(condition.test);
  std::string text;
  for (const PolicyCondition& part : condition.parts) text += (text.empty() ? "" : ", ") + toText(part);
  return (condition.kind == PolicyCondition::Kind::All ? "all {" : "any {") + text + "}";
}

bool coversCondition(const std::vector<const PolicyCondition*>& granted, const PolicyCondition* asked,
                     const PolicyFacts& facts) {
  if (std::ranges::find(granted, nullptr) != granted.end()) return true;
  const Alternatives cases = asked == nullptr ? Alternatives({PolicyFacts{}}) : alternativesOf(*asked);
  if (!cases) return false;
  return std::ranges::all_of(*cases, [&](PolicyFacts known) {
    known.insert(known.end(), facts.begin(), facts.end());
    return isContradiction(known) ||
           std::ranges::any_of(granted, [&](const PolicyCondition* one) { return follows(*one, known); });
  });
}

bool mayHold(const PolicyCondition* condition, const PolicyFacts& facts) {
  if (condition == nullptr) return true;
  const Alternatives cases = alternativesOf(*condition);
  return !cases || std::ranges::any_of(*cases, [&](PolicyFacts known) {
    known.insert(known.end(), facts.begin(), facts.end());
    return !isContradiction(known);
  });
}

}  // namespace lockstep
