// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include "trainer/node/line_pump.h"

namespace lockstep::node {

/// One line of this program's own among those of the processes that it started: "[node] …" on stdout.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  writeAll(STDOUT_FILENO, "[node] " + fmt::format(format, std::forward<Args>(args)...) + "\n");
}

}  // namespace lockstep::node
