// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

#include "base/error.h"

namespace lockstep::rehearsal {

/// Shows a folder at another place, such as /code, read only, to this process and to all that it starts.
/// To be called in a mount namespace of the process's own, which a node has when it is isolated. Where the
/// machine has no folder of that name, the process gets a root of its own, made in `scratch`: everything that
/// the machine's root holds, and that folder. The machine itself is not changed.
Result<void> showReadOnly(const std::filesystem::path& folder, const std::filesystem::path& at,
                          const std::filesystem::path& scratch);

}  // namespace lockstep::rehearsal
