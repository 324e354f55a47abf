// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rehearsal/iam/policy_language.h"

namespace lockstep::rehearsal {

/// A permission of Oracle's policy reference, and the least verb on its resource type that has it.
struct PermissionWord {
  const char* name;          // "OBJECT_READ"
  const char* resourceType;  // "objects"
  PolicyVerb verb;
};
[[nodiscard]] std::span<const PermissionWord> permissionWords();
[[nodiscard]] const PermissionWord* findPermission(std::string_view name);  // in any case
/// The permission that a verb brings to a resource type beyond the verb below it, if it brings one.
[[nodiscard]] const PermissionWord* permissionOf(PolicyVerb verb, std::string_view resourceType);

/// Whether the word is a resource type or a family of the policy language.
[[nodiscard]] bool isResourceType(std::string_view word);
/// Whether a statement about `granted` (a type, a family, all-resources) is one about `wanted`.
[[nodiscard]] bool coversResourceType(std::string_view granted, std::string_view wanted);
/// The resource type that a mistyped word most likely means.
[[nodiscard]] std::optional<std::string> nearestResourceType(std::string_view word);

/// What an operation needs: of each group of permissions at least one, for all groups.
using NeededPermissions = std::vector<std::vector<const PermissionWord*>>;
/// nullopt: the operation has no row, so nobody may carry it out. An empty list: whoever is known may.
[[nodiscard]] const NeededPermissions* needsOf(const std::string& operation);

}  // namespace lockstep::rehearsal
