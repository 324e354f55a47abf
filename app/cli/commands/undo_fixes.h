// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "cli.h"
#include "setup_options.h"

namespace lockstep::cli {

/// Everything that fixes have changed, newest last; what is taken back is marked.
int listChanges(bool json);
/// Takes back one change, or, for "all", those of the chosen profile (of every profile when none is named)
/// that are not taken back yet, the newest first. Asks unless `yes`.
int undoChanges(const std::string& id, bool yes, const SetupOptions& options, const GlobalOptions& global);

/// Whether the user says yes on the terminal. Nobody can be asked without one: false, with a note.
[[nodiscard]] bool isConfirmed(const std::string& question, const std::string& nothingDone);

}  // namespace lockstep::cli
