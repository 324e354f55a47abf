// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/api/router.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// Work requests (oci-rest-contract 4.11). What this region does under one is done when the call answers, so
/// one is born ACCEPTED and is SUCCEEDED when it is looked at some moments later.
struct WorkRequestSpec {
  std::string
      service;  // "logging" | "datascience" | "core" | "objectstorage": decides spellings and the path
  std::string operationType;  // "CREATE_LOG"
  std::string compartment;
  struct Touched {
    std::string entityType;  // "log"
    std::string actionType;  // "CREATED"
    std::string identifier;
    std::string entityUri;
  };
  std::vector<Touched> resources;
};

/// Its OCID, for the header opc-work-request-id. Within the transaction of the change itself.
std::string addWorkRequest(Transaction& transaction, const WorkRequestSpec& spec, TimePoint now);

/// Reads, lists, errors and logs of work requests, below the root of each service.
void addWorkRequests(Router& router, Database& database);

}  // namespace lockstep::rehearsal
