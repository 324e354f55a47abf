// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Each includes those before it.
enum class PolicyVerb { Inspect, Read, Use, Manage };
[[nodiscard]] const char* toString(PolicyVerb verb);                             // "inspect"
[[nodiscard]] std::optional<PolicyVerb> policyVerbNamed(std::string_view word);  // in any case

/// What a statement grants, taken apart as Oracle's policy reference does it: the least verb on a resource
/// type that brings this permission.
struct PolicyPermission {
  std::string name;          // "OBJECT_READ"
  std::string resourceType;  // "objects"
  PolicyVerb verb = PolicyVerb::Inspect;
  bool operator==(const PolicyPermission&) const = default;
};

/// All permissions that a verb brings on a type, a family or all-resources. A type whose permissions we do
/// not know has one nameless permission for each verb, so that it compares as the documents say all types do.
[[nodiscard]] std::vector<PolicyPermission> permissionsOf(PolicyVerb verb, std::string_view resourceType);
/// nullopt: a permission that we do not know (there are hundreds), or a mistyped one.
[[nodiscard]] std::optional<PolicyPermission> permissionNamed(std::string_view name);

/// Whether a statement about `granted` is one about `wanted`: the same type, a family of it, all-resources.
[[nodiscard]] bool coversResourceType(std::string_view granted, std::string_view wanted);
[[nodiscard]] bool isKnownResourceType(std::string_view word);
/// The type that a mistyped word most likely means.
[[nodiscard]] std::optional<std::string> likelyResourceType(std::string_view word);

/// Names of the policy language are the same in any case.
[[nodiscard]] bool isSameWord(std::string_view a, std::string_view b);
[[nodiscard]] std::string lowerCased(std::string_view word);

}  // namespace lockstep
