// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

namespace lockstep {

/// The newest format of the run store that is known here (docs/formats/run-store.md). A higher one is of a newer Lockstep.
inline constexpr int kRunSchemaVersion = 3;

// All throw SQLite::Exception, and are part of the caller's transaction: where it does not end well, nothing has happened.

/// The tables of format 1, in an empty database.
void createFirstSchema(SQLite::Database& db);
/// From format 1 to format 2: adds tables and fills them from what is there, and changes nothing of it. A run whose document
/// cannot be read is listed under its id.
void upgradeToSecondSchema(SQLite::Database& db);
/// From format 2 to format 3: adds a table, which is empty as long as nobody has looked at a run.
void upgradeToThirdSchema(SQLite::Database& db);
/// Summaries of the runs that have none: an earlier Lockstep that has had the store open since before the upgrade writes such.
void addMissingSummaries(SQLite::Database& db);

}  // namespace lockstep
