// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "rehearsal/region/region.h"

namespace lockstep::rehearsal {

/// The commands of lockstep-rehearsal. Each prints its result and returns main's exit status.
int startCommand(const RegionOptions& options, bool foreground, bool json);
int stopCommand(const StateFolder& state);
int statusCommand(const StateFolder& state, bool json);
int resetCommand(const StateFolder& state);

/// Reads one request a line as JSON from stdin and says of each whether the region would accept its
/// signature. `keys`: "KEYID=PUBLIC.pem".
int verifyCommand(const std::string& at, const std::vector<std::string>& keys);

}  // namespace lockstep::rehearsal
