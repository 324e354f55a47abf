// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/text/terminal_text.h"

namespace lockstep::node {

/// One line of this program's own among those of the processes that it started: "[node] …" on stdout. Names
/// and texts of other machines in it cannot steer a terminal.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  const std::string line = forTerminal(fmt::format(format, std::forward<Args>(args)...));
  writeAll(STDOUT_FILENO, "[node] " + line + "\n");
}

}  // namespace lockstep::node
