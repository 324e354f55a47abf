// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "oci/signin/sign_in.h"
#include "oci/signing/credentials.h"
#include "tests/faults/fault_region.h"

namespace lockstep::testing {

/// As whom a story is played.
enum class SignedInAs {
  ApiKey,
  Session,       // of an hour, which only a new log-in replaces
  ShortSession,  // with few minutes left, so that it is renewed at once
  Instance,      // a compute instance that may do everything
  JobRun,        // a resource principal that may do everything, whose files the service replaces
};

/// What signs the requests of one story, and what brings it new credentials.
class StorySignIn {
 public:
  virtual ~StorySignIn() = default;
  /// Files that it needs are in `folder`. Throws when the region refuses to prepare it.
  static std::unique_ptr<StorySignIn> prepare(SignedInAs who, FaultRegion& region,
                                              const oci::Profile& profile,
                                              const std::filesystem::path& folder);
  virtual Result<std::shared_ptr<oci::Credentials>> open(const oci::SigningIn& in) = 0;
  /// What a person does who is told that the credentials have ended; false: there is nothing to do.
  virtual bool again() { return false; }
};

}  // namespace lockstep::testing
