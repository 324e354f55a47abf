// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "setup/policies/policies_fixes.h"

namespace lockstep {
namespace {

/// 412 and 404 say that it is not what it was; everything else is as the service has it.
Result<void> explained(Result<void> done, const AppliedChange& change) {
  const int http = !done && done.error().service ? done.error().service->httpStatus : 0;
  if (http != 412 && http != 404) return done;
  Error error = done.error();
  error.code = ErrorCode::FailedPrecondition;
  error.what = fmt::format("cannot take back '{}'", change.title);
  error.cause =
      http == 412 ? "somebody has changed it since" : "it is no longer there, or you may not see it";
  error.remedy = "look at it in the console, and remove by hand what is not wanted";
  return failure(std::move(error));
}

// Only our own statements go: what others have added to the policy since stays.
Result<void> removeStatements(const AppliedChange& change, oci::IdentityClient& identity,
                              const std::stop_token& stop) {
  const auto policy = identity.getPolicy(stringField(change.undo, "policyId"), stop);
  if (!policy) return failure(policy.error());
  std::vector<std::string> left = policy->statements;
  for (const auto& added : change.undo.value("added", nlohmann::json::array())) {
    const auto found = std::ranges::find(left, added.get<std::string>());
    if (found != left.end()) left.erase(found);
  }
  if (left.size() == policy->statements.size())
    return failure(ErrorCode::FailedPrecondition, fmt::format("cannot take back '{}'", change.title),
                   fmt::format("none of the statements is in policy '{}' any longer", policy->name));
  if (left.empty()) return identity.deletePolicy(policy->id, policy->etag, stop);
  const auto changed = identity.updatePolicy(policy->id, left, policy->etag, stop);
  if (!changed) return failure(changed.error());
  return {};
}

Result<void> restoreRule(const AppliedChange& change, oci::IdentityClient& identity,
                         const std::stop_token& stop) {
  const auto changed =
      identity.updateDynamicGroup(stringField(change.undo, "dynamicGroupId"),
                                  stringField(change.undo, "rule"), stringField(change.undo, "etag"), stop);
  if (!changed) return failure(changed.error());
  return {};
}

}  // namespace

Result<void> takeBackPolicyChange(const AppliedChange& change, oci::IdentityClient& identity,
                                  const std::stop_token& stop) {
  const std::string etag = stringField(change.undo, "etag");
  if (change.kind == "policy-created")
    return explained(identity.deletePolicy(stringField(change.undo, "policyId"), etag, stop), change);
  if (change.kind == "policy-extended") return explained(removeStatements(change, identity, stop), change);
  if (change.kind == "dynamic-group-created")
    return explained(identity.deleteDynamicGroup(stringField(change.undo, "dynamicGroupId"), etag, stop),
                     change);
  if (change.kind == "dynamic-group-changed") return explained(restoreRule(change, identity, stop), change);
  return failure(ErrorCode::InvalidArgument, fmt::format("cannot take back '{}'", change.title),
                 fmt::format("the step 'policies' makes no change of the kind '{}'", change.kind));
}

}  // namespace lockstep
