// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>

#include "rehearsal/api/router.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// What the where-clauses of policies may test about the thing asked for: "target.bucket.name" -> "lockstep".
/// What every request has (request.operation, request.permission, request.region, target.compartment.id and
/// .name, request.principal.*) is added by the engine.
using TargetFacts = std::map<std::string, std::string>;

/// What a statement must grant, in the words of the policy language: {"read", "data-science-jobs"}.
struct Grant {
  std::string verb;
  std::string resourceType;
};

/// Whether the policies of the caller's tenancy let it carry out this operation (call.operation) in that
/// compartment, which may be the tenancy itself. False for a compartment that does not exist or is another
/// tenancy's: the service does not tell these apart.
bool mayIn(Transaction& transaction, const Call& call, const std::string& compartmentId,
           const TargetFacts& facts = {});
/// The same for something that the operation needs besides: a job run's project, its log, its subnet.
bool mayIn(Transaction& transaction, const Call& call, const std::string& compartmentId, const Grant& grant,
           const TargetFacts& facts = {});

/// Whether the caller has this permission of Oracle's reference there ("OBJECT_CREATE"): for an operation that needs one
/// or another, depending on what it finds.
bool hasPermission(Transaction& transaction, const Call& call, const std::string& compartmentId,
                   const char* permission, const TargetFacts& facts = {});

/// The resource that the operation acts on, if it exists and the caller may act on it.
std::optional<Resource> findAllowed(Transaction& transaction, const Call& call, const std::string& kind,
                                    const std::string& id, const TargetFacts& facts = {});
/// A resource that the operation needs besides.
std::optional<Resource> findRelated(Transaction& transaction, const Call& call, const std::string& kind,
                                    const std::string& id, const Grant& grant);

/// A resource that the operation names and that needs no grant of its own: it is in the caller's tenancy.
std::optional<Resource> findOwn(Transaction& transaction, const Call& call, const std::string& kind,
                                const std::string& id);

/// The tenancy that a compartment (or tenancy) OCID belongs to.
std::optional<std::string> tenancyOf(Transaction& transaction, const std::string& compartmentId);

/// 412 when the call has an if-match that is not this etag.
std::optional<ServiceError> checkIfMatch(const std::optional<std::string>& ifMatch, const std::string& etag);

}  // namespace lockstep::rehearsal
