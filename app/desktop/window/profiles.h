// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "oci/signing/profile.h"

namespace lockstep {

/// What the OCI config file has for us.
struct ProfileList {
  std::vector<std::string> names;  // in the order of the file
  oci::ProfileQuery chosen;        // resolved; the one to use
  std::string region, user, endpoint;
  bool isRehearsal = false;      // it belongs to a region on this machine
  std::optional<Error> problem;  // why the chosen one cannot be used
  [[nodiscard]] bool empty() const { return names.empty(); }
};

/// Reads the config file and decides which profile to use: the wanted one; without a wish the OCI tools'
/// choice if the file has it, else REHEARSAL, else the first. Blocks on disk.
[[nodiscard]] ProfileList readProfiles(const oci::ProfileQuery& wanted);

}  // namespace lockstep
