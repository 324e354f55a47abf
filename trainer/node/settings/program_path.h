// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// The file of a program: looked for in PATH, and where daemons lie. Empty when there is none.
[[nodiscard]] std::string programPath(const std::string& name, const Environment& environment);

/// NotFound names the program and says how an image gets it.
Result<std::string> needProgram(const std::string& name, const Environment& environment,
                                const std::string& remedy);

/// Runs a short program and waits for it; its words go to our output. Unavailable when it fails.
Result<void> runProgram(const std::vector<std::string>& command, const Environment& environment,
                        const std::stop_token& stop);

}  // namespace lockstep::node
