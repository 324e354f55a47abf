// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// One comparison: target.bucket.name = 'lockstep'.
struct PolicyTest {
  enum class Operator { Equal, NotEqual, In, NotIn, Before, After, Between, Exists };
  struct Value {
    enum class Kind { Text, Pattern, Variable };
    std::string text;  // of a pattern: without its slashes
    Kind kind = Kind::Text;
    bool operator==(const Value&) const = default;
  };
  std::string variable;  // lower case, but for the names of tags
  Operator op = Operator::Equal;
  std::vector<Value> values;  // In, NotIn: any number; Between: two; Exists: none; else one
  bool operator==(const PolicyTest&) const = default;
};

/// A where-clause, or the matching rule of a dynamic group.
struct PolicyCondition {
  enum class Kind { All, Any, Test };
  Kind kind = Kind::Test;
  std::vector<PolicyCondition> parts;  // All, Any
  PolicyTest test;                     // Test
  bool operator==(const PolicyCondition&) const = default;
};

/// {variable = 'value'}
[[nodiscard]] PolicyTest isEqualTest(std::string variable, std::string value);
[[nodiscard]] PolicyCondition conditionOf(PolicyTest test);
/// The condition that one of the values is meant: a single test, or any {…}. `values` is not empty.
[[nodiscard]] PolicyCondition isOneOf(const std::string& variable, const std::vector<std::string>& values);

/// As one writes it: "all {a = 'x', b = /y*/}".
[[nodiscard]] std::string toText(const PolicyCondition& condition);

/// Tests that hold together.
using PolicyFacts = std::vector<PolicyTest>;

/// Whether every request for which `facts` and `asked` hold meets one of `granted`. In each of them nullptr
/// means no condition. Errs on the side of "no": where the language leaves us in doubt, it is not covered.
/// Values compare in any case, as the service compares them; '*' in a pattern is any text.
[[nodiscard]] bool coversCondition(const std::vector<const PolicyCondition*>& granted,
                                   const PolicyCondition* asked, const PolicyFacts& facts);

/// Whether there may be a request for which `facts` hold and which meets `condition`; errs on the side of
/// "yes".
[[nodiscard]] bool mayHold(const PolicyCondition* condition, const PolicyFacts& facts);

}  // namespace lockstep
