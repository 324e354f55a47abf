// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// What log groups and logs have in common (oci-rest-contract 4.6): names without blanks, unique in their
/// parent; changes that answer a work request and no body.

/// displayName as Logging has it.
std::string readLogName(BodyReader& body);
/// 409 when another resource of that kind has the name in that place (compartment for groups, group for
/// logs).
std::optional<ServiceError> checkLogNameIsFree(Transaction& transaction, const Resource& wanted);
/// 202 and the work request of a change.
OperationResult acceptedLogChange(Transaction& transaction, const Call& call, const std::string& operation,
                                  const Resource& touched, const char* action);
/// A page of groups or logs. `limit` counts unfiltered records, so that a page may be empty and not the last.
OperationResult listLogPlaces(Transaction& transaction, const Call& call, ListQuery query,
                              const std::function<bool(const Resource&)>& isWanted);

}  // namespace lockstep::rehearsal
