// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lockstep::rehearsal {

inline constexpr const char* kProfileName = "REHEARSAL";
/// A key that only Lockstep reads. Not `endpoint`: to Oracle's Python SDK that is the second-level domain of
/// its hosts, and a URL there breaks each of its clients.
inline constexpr const char* kEndpointKey = "lockstep_endpoint";

/// The OCI config file that the tools would use: OCI_CLI_CONFIG_FILE, OCI_CONFIG_FILE, else ~/.oci/config.
[[nodiscard]] std::filesystem::path defaultConfigFile();

struct ProfileChange {
  std::string replacedEndpoint;  // where a profile of that name with another key pointed before
};

/// Puts the profile into the config file: our section is replaced or appended, every other byte stays.
/// Atomic, mode 0600; the folder is made when it is missing.
Result<ProfileChange> writeProfile(const std::filesystem::path& file,
                                   const std::vector<std::pair<std::string, std::string>>& values);

/// The folder of the key of our section, which is the state folder of the region that wrote it; empty when
/// there is no such section.
Result<std::filesystem::path> folderOfProfile(const std::filesystem::path& file);

/// Renames the `endpoint` that earlier versions wrote into our section, if its key file is `keyFile`.
Result<void> repairProfile(const std::filesystem::path& file, const std::filesystem::path& keyFile);

/// Takes our section out again, if its key file is `keyFile`: then it would point at nothing.
Result<void> removeProfile(const std::filesystem::path& file, const std::filesystem::path& keyFile);

}  // namespace lockstep::rehearsal
