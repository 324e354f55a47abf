// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

#include "base/error.h"
#include "launch/job_blocks.h"
#include "plan/plan.h"

namespace lockstep {

/// The tag of a job by which the rehearsal region finds the copy that stands for /code.
inline constexpr const char* kCodeTag = "lockstep-code";

/// The folder that stands for /code of the image when a train.yaml is rehearsed: `chosen`; else the
/// source_folder of a config.ini beside the file, from which `ads` builds the image; else the folder that the
/// file is in. "-" and an empty name stand for a file in the current folder. Blocks on disk.
[[nodiscard]] std::filesystem::path codeFolderOf(const std::string& trainFile,
                                                 const std::string& chosen = {});

/// Where a path of the image is on this machine when `codeFolder` stands for /code: a path below /code in it,
/// any other as it is.
[[nodiscard]] std::filesystem::path placeHere(const std::string& path,
                                              const std::filesystem::path& codeFolder);

/// The entry script of a cluster as a file of this machine; empty when the code comes from a repository, or
/// the script is a program on PATH.
[[nodiscard]] std::filesystem::path entryFileOf(const JobBlock& block,
                                                const std::filesystem::path& codeFolder);

/// Whether the nodes of this plan look for anything below /code. Blocks on disk.
[[nodiscard]] bool usesCode(const Plan& plan, const std::filesystem::path& codeFolder);

/// The plan whose job names the copy.
[[nodiscard]] Plan withCode(Plan plan, const std::string& snapshot);

}  // namespace lockstep
