// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace lockstep::rehearsal {

inline constexpr const char* kProfileName = "REHEARSAL";

/// The OCI config file that the tools would use: OCI_CLI_CONFIG_FILE, OCI_CONFIG_FILE, else ~/.oci/config.
[[nodiscard]] std::filesystem::path defaultConfigFile();

struct ProfileChange {
  std::string replacedEndpoint;  // where a profile of that name pointed before, when somewhere else
};

/// Puts the profile into the config file: our section is replaced or appended, every other byte stays.
/// Atomic, mode 0600; the folder is made when it is missing.
Result<ProfileChange> writeProfile(const std::filesystem::path& file,
                                   const std::vector<std::pair<std::string, std::string>>& values);

/// Takes our section out again, if its key file is `keyFile`: then it would point at nothing.
Result<void> removeProfile(const std::filesystem::path& file, const std::filesystem::path& keyFile);

}  // namespace lockstep::rehearsal
