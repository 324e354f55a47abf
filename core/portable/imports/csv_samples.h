// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <stop_token>
#include <vector>

#include "portable/imports/imported_run.h"

namespace lockstep {

/// The runs in a file of comma-separated values with a header (CsvColumns); most have one. Cells that are empty are no samples;
/// those that are no numbers are passed over. Where there are no times, the rows count as one millisecond apart, the last one
/// as written when the file was changed last. InvalidArgument: it is no such file. Blocks on disk; Cancelled once it is asked
/// to stop.
[[nodiscard]] Result<std::vector<ImportedRun>> runsInCsv(const std::filesystem::path& path,
                                                         const std::stop_token& stop);

}  // namespace lockstep
