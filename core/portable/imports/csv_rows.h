// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

#include "base/error.h"

namespace lockstep {

/// Takes one row; its fields are valid during the call. A failure ends the reading with it.
using TakeCsvRow = std::function<Result<void>(std::span<const std::string> fields)>;

/// Reads a file of comma-separated values (RFC 4180, also with ';' or tabs, whichever the first line has most of) row by row;
/// empty lines are none. A byte order mark at its beginning is passed over. InvalidArgument: it is no text, or has a field of
/// more than 1 MiB or a row of more than 65,536 fields; others as the file system has them. Blocks on disk; Cancelled once it
/// is asked to stop. Memory: one row.
Result<void> readCsv(const std::filesystem::path& path, const TakeCsvRow& take, const std::stop_token& stop);

}  // namespace lockstep
