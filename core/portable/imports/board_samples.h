// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "portable/imports/imported_run.h"

namespace lockstep {

/// Bytes read so far, of how many.
using ReadProgress = std::function<void(std::uint64_t read, std::uint64_t of)>;

/// The runs in a folder of TensorBoard, or in one event file. Folders named after data ("train", "validation") or after
/// ranks ("rank-00003") are parts of one run; all others are runs of their own. Names of quantities are put into the catalogue's words where it
/// has any. Files that are torn or none of TensorBoard's are passed over as far as they are. NotFound: there are no event
/// files; InvalidArgument: there are no scalars in them. Blocks on disk; Cancelled once it is asked to stop.
[[nodiscard]] Result<std::vector<ImportedRun>> runsInBoard(const std::filesystem::path& path,
                                                           const ReadProgress& progress,
                                                           const std::stop_token& stop);

}  // namespace lockstep
