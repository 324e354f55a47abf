// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace lockstep::rehearsal {

/// Puts a file in the place of another in one step, for readers that are running now. Unlike
/// writeFileAtomically() it does not wait for the disk: what it is for, namespaces and their nodes, does not
/// outlive the machine's running either, and a busy disk would hold up every node that starts.
Result<void> writeBriefFile(const std::filesystem::path& path, std::string_view bytes, mode_t mode);

}  // namespace lockstep::rehearsal
