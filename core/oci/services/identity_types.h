// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/secret.h"

namespace lockstep::oci {

// What Identity answers (oci-rest-contract 4.1). lifecycleState: "CREATING" "ACTIVE" "INACTIVE" "DELETING"
// "DELETED", or what a later service says; texts that the service left out are empty.

struct Tenancy {
  std::string id, name, description;
  std::string homeRegionKey;  // "IAD"
};

struct User {
  std::string id, compartmentId, name, description, email, lifecycleState;
  bool isMfaActivated = false;
  bool canUseApiKeys = true;  // capabilities; true where the service does not say
  bool canUseAuthTokens = true;
  std::string etag;
};

struct RegionSubscription {
  std::string regionKey;   // "PHX"
  std::string regionName;  // "us-phoenix-1"
  std::string status;      // "READY" "IN_PROGRESS"
  bool isHomeRegion = false;
};

struct AvailabilityDomain {
  std::string name;  // "Uocm:PHX-AD-1"
  std::string id, compartmentId;
};

struct Compartment {
  std::string id;
  std::string compartmentId;  // of the parent
  std::string name, description, lifecycleState;
  std::optional<TimePoint> timeCreated;
};

struct Group {
  std::string id, compartmentId, name, description, lifecycleState;
};

struct DynamicGroup {
  std::string id, compartmentId, name, description, matchingRule, lifecycleState;
  std::string etag;
};

struct GroupMembership {
  std::string id, compartmentId, groupId, userId, lifecycleState;
};

struct Policy {
  std::string id, compartmentId, name, description, lifecycleState;
  std::vector<std::string> statements;
  std::string versionDate;  // "YYYY-MM-DD" or empty
  std::string etag;         // empty in a listing
};

struct AuthToken {
  std::string id, userId, description, lifecycleState;
  std::optional<TimePoint> timeCreated, timeExpires;
  Secret token;  // only in the answer that created it
};

struct ApiKeyInfo {
  std::string keyId;  // "<tenancy>/<user>/<fingerprint>"
  std::string fingerprint, userId, lifecycleState;
  std::string publicKey;  // PEM
  std::optional<TimePoint> timeCreated;
};

}  // namespace lockstep::oci
