// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lockstep {

// Edits of an OCI config file as text: other profiles, comments, order, line ends and a byte order mark stay
// as they are (oci-rest-contract 1.4). Pure, but for editConfig(). Values of one line only.

using ProfileValues = std::vector<std::pair<std::string, std::string>>;

/// A new profile at the end. AlreadyExists when it is there.
[[nodiscard]] Result<std::string> withProfile(std::string_view text, const std::string& profile,
                                              const ProfileValues& values);
/// Without the profile and its lines; comments that stand before it stay. NotFound when it is not there.
[[nodiscard]] Result<std::string> withoutProfile(std::string_view text, const std::string& profile);
/// A value in the profile's own section: replaced where it stands, added after the last one, or, with
/// nothing given, removed.
[[nodiscard]] Result<std::string> withValue(std::string_view text, const std::string& profile,
                                            const std::string& key, const std::optional<std::string>& value);

/// What the profile's own section says, without what it inherits. Nothing: there is no such profile.
[[nodiscard]] std::optional<std::map<std::string, std::string>> ownValues(std::string_view text,
                                                                          const std::string& profile);
/// The section as it may be shown: pass phrases and key contents hidden. Empty: there is no such profile.
[[nodiscard]] std::string shownProfile(std::string_view text, const std::string& profile);

/// The text of a config file; empty when there is no such file. Blocks on disk.
Result<std::string> readConfigText(const std::filesystem::path& file);
/// Reads the file, edits its text and replaces it whole, with mode 0600; makes its folder for its owner alone
/// when it is missing. A file that does not change is not written. Blocks on disk.
Result<void> editConfig(const std::filesystem::path& file,
                        const std::function<Result<std::string>(const std::string& text)>& edit);

}  // namespace lockstep
