// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "base/clock.h"
#include "rehearsal/crypto/crypto.h"

namespace lockstep::rehearsal {

/// Who sent a request.
struct Principal {
  // Service: a service that acts in somebody's tenancy. It signs nothing here; policies are asked about it.
  enum class Kind { User, JobRun, Instance, Service };
  Kind kind = Kind::User;
  std::string id;  // user OCID | job run OCID | instance OCID | "objectstorage-rehearsal"
  std::string tenancyId;
  std::string compartmentId;  // JobRun, Instance: where it runs
};

struct KnownKey {
  Key publicKey;
  Principal principal;
};

/// Finds the public key of a whole keyId parameter. Thread-safe.
class KeyFinder {
 public:
  virtual ~KeyFinder() = default;
  virtual std::optional<KnownKey> find(const std::string& keyId, TimePoint now) = 0;
};

}  // namespace lockstep::rehearsal
