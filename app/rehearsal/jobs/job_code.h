// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "rehearsal/state/database.h"
#include "rehearsal/support/run_folder.h"

namespace lockstep::rehearsal {

/// No image is run, so that a folder of this machine stands for /code of the image: a copy that the client
/// made in the state folder before it created the job. This tag of the job names it.
inline constexpr const char* kCodeTag = "lockstep-code";
inline constexpr const char* kCodePlace = "/code";

/// The copy that the tags of a job name; empty: none. A name that no copy can have counts as none.
[[nodiscard]] std::string codeNameIn(const nlohmann::json& jobBody);

/// The copy of that name, read only. Ends quietly when it is not there. Blocks on disk.
void removeCode(const std::filesystem::path& codeFolder, const std::string& name);
/// All of them, so that a folder above them can be removed.
void removeAllCode(const std::filesystem::path& codeFolder);

/// Removes the copies that no job names: of launches that were killed before they had created one. One that
/// is younger than an hour may be of a launch under way.
void sweepCode(Database& database, const std::filesystem::path& codeFolder);

/// The text with `folder` in place of every path /code.
[[nodiscard]] std::string withCodeAt(const std::string& text, const std::string& folder);

/// Makes a task find its code at `folder` where nothing can be shown at /code: in the command, in what
/// lockstep-node and the driver read, and in every variable that begins with it.
void mapCode(NodeTask& task, const std::string& folder);

}  // namespace lockstep::rehearsal
