// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lockstep::rehearsal {

/// Each includes the ones before it.
enum class PolicyVerb { Inspect, Read, Use, Manage };
[[nodiscard]] const char* nameOf(PolicyVerb verb);
[[nodiscard]] std::optional<PolicyVerb> verbNamed(std::string_view word);  // in any case

struct PolicySubject {
  enum class Kind { AnyUser, AnyGroup, Group, DynamicGroup, Service };
  struct Name {
    std::string domain;  // empty: the Default domain
    std::string text;    // a name, or an OCID
    bool isId = false;
  };
  Kind kind = Kind::Group;
  std::vector<Name> names;
};

struct PolicyLocation {
  enum class Kind { Tenancy, CompartmentPath, CompartmentId };
  Kind kind = Kind::Tenancy;
  std::vector<std::string> path;  // A:B:C, from the compartment that the policy is attached to
  std::string id;
};

/// A where-clause, or the matching rule of a dynamic group.
struct PolicyCondition {
  enum class Kind { All, Any, Test };
  enum class Operator { Equal, NotEqual, In, NotIn, Before, After, Between, Exists };
  struct Value {
    std::string text;
    bool isVariable = false;  // target.user.id on the right-hand side
  };
  Kind kind = Kind::Test;
  std::vector<PolicyCondition> parts;  // All, Any
  std::string variable;                // lower case, but for the names of tags
  Operator op = Operator::Equal;
  std::vector<Value> values;  // In, NotIn: any number; Between: two; Exists: none; else one
};

struct PolicyStatement {
  PolicySubject subject;
  PolicyVerb verb = PolicyVerb::Inspect;
  std::string resourceType;              // lower case; empty: `permissions` are named instead
  std::vector<std::string> permissions;  // {BUCKET_READ, BUCKET_INSPECT}, upper case
  PolicyLocation location;
  std::optional<PolicyCondition> where;
};

/// Why a text is no statement: what was found, where, and what is meant.
struct PolicyMistake {
  std::size_t place = 0;  // characters before it
  std::string what;
};
/// "Policy statement 2 is wrong at character 17 ('read'): …"
[[nodiscard]] std::string describeMistake(const std::string& statement, const PolicyMistake& mistake);

/// One statement by the grammar that Oracle documents (Policy Syntax; oci-rest-contract 4.1):
///   allow SUBJECT to (VERB RESOURCE-TYPE | {PERMISSION, …}) in LOCATION [where CONDITION]
/// Keywords in any case.
[[nodiscard]] tl::expected<PolicyStatement, PolicyMistake> parsePolicyStatement(const std::string& text);

/// A matching rule: VARIABLE = 'value' | VARIABLE != 'value' | tag.NAMESPACE.KEY.value | all {…} | any {…}.
[[nodiscard]] tl::expected<PolicyCondition, PolicyMistake> parseMatchingRule(const std::string& text);

}  // namespace lockstep::rehearsal
