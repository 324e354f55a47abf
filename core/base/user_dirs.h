// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

namespace lockstep {

/// Folders of this user, by the XDG base directory rules. LOCKSTEP_HOME, when set, holds all three (`data`, `config`,
/// `cache` below it), so that a test or a second installation never meets the user's own. Nothing is created here.
[[nodiscard]] std::filesystem::path userDataDir();    // run store, state of the rehearsal region
[[nodiscard]] std::filesystem::path userConfigDir();  // preferences
[[nodiscard]] std::filesystem::path userCacheDir();
[[nodiscard]] std::filesystem::path homeDir();

/// "~/x" -> "/home/me/x"; other paths unchanged. "~name" is left alone.
[[nodiscard]] std::filesystem::path expandHome(const std::string& path);

/// The folder of the running program, where the other programs of Lockstep stand.
[[nodiscard]] std::filesystem::path programDir();

/// Makes the folder, and those above it that are missing, for its owner alone (0700). One that is there stays
/// as it is. The errno of what failed; 0: it is there.
[[nodiscard]] int makePrivateFolder(const std::filesystem::path& folder);

}  // namespace lockstep
