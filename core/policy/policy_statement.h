// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "policy/policy_condition.h"
#include "policy/policy_words.h"

namespace lockstep {

struct PolicySubject {
  enum class Kind { AnyUser, AnyGroup, Group, DynamicGroup, Service };
  struct Name {
    std::string text;    // a name, or an OCID
    std::string domain;  // identity domain; empty: the Default one
    bool isId = false;
    bool operator==(const Name&) const = default;
  };
  Kind kind = Kind::Group;
  std::vector<Name> names;
  bool operator==(const PolicySubject&) const = default;
};

struct PolicyLocation {
  enum class Kind { Tenancy, CompartmentPath, CompartmentId };
  Kind kind = Kind::Tenancy;
  std::vector<std::string> path;  // a:b, from the compartment that the policy is attached to
  std::string id;
  bool operator==(const PolicyLocation&) const = default;
};

/// Why a text is no statement, or what is odd about one.
struct PolicyMistake {
  std::string code;       // stable: "two-verbs" "placeholder" "resource-type" "verb" "subject" "location" …
  std::size_t place = 0;  // characters before it
  std::string what;
  std::string remedy;
  bool operator==(const PolicyMistake&) const = default;
};

struct PolicyStatement {
  /// Endorse, Admit and Define are about other tenancies: they are recognised, and the rest of them is not
  /// read.
  enum class Effect { Allow, Deny, Endorse, Admit, Define };
  Effect effect = Effect::Allow;
  PolicySubject subject;
  PolicyVerb verb = PolicyVerb::Inspect;
  std::string resourceType;              // lower case; empty: `permissions` are named instead
  std::vector<std::string> permissions;  // {OBJECT_READ, OBJECT_INSPECT}, upper case
  PolicyLocation location;
  std::optional<PolicyCondition> where;
  std::vector<PolicyMistake> doubts{};  // it can be read so, but hardly means it: an unknown resource type
  bool operator==(const PolicyStatement&) const = default;
};

/// By the grammar of Oracle's "Policy Syntax" (oci-rest-contract 4.1), keywords in any case:
///   allow SUBJECT to (VERB RESOURCE-TYPE | {PERMISSION, …}) in LOCATION [where CONDITION]
[[nodiscard]] tl::expected<PolicyStatement, PolicyMistake> parsePolicyStatement(const std::string& text);
/// VARIABLE = 'value' | VARIABLE != 'value' | tag.NAMESPACE.KEY.value | all {…} | any {…}
[[nodiscard]] tl::expected<PolicyCondition, PolicyMistake> parseMatchingRule(const std::string& text);

/// As one writes it; parsing it again gives the same.
[[nodiscard]] std::string toText(const PolicyStatement& statement);
[[nodiscard]] std::string toText(const PolicySubject& subject);    // "group 'Domain'/'Name'"
[[nodiscard]] std::string toText(const PolicyLocation& location);  // "compartment a:b"
/// "manage objects", "{OBJECT_READ}"
[[nodiscard]] std::string grantText(const PolicyStatement& statement);

/// "at character 29 ('read'): …; write …"
[[nodiscard]] std::string describe(const std::string& text, const PolicyMistake& mistake);

}  // namespace lockstep
