// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>

#include "base/error.h"

namespace lockstep {

/// Opens or creates the SQLite file of the run store: WAL, every commit synced, a timeout of ten seconds for
/// other processes, schema in place. Throws SQLite::Exception; refuses by an Error what is not ours to touch.
Result<SQLite::Database> openRunDatabase(const std::filesystem::path& path);

/// What a SQLite failure means for the user of the run store.
[[nodiscard]] Error sqliteError(std::string what, const SQLite::Exception& error,
                                const std::filesystem::path& path);

}  // namespace lockstep
