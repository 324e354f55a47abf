// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdio>
#include <string>

#include "base/text/terminal_text.h"

namespace lockstep::trainer {

/// One line to stdout or stderr, at once: whoever reads our output through a pipe follows the training by it.
/// A reader that has gone away is no reason to end the training: nothing is thrown, nothing said (main()
/// ignores SIGPIPE). Names and texts of others in it cannot steer a terminal. Any thread.
inline void putLine(std::FILE* to, const std::string& line) {
  std::fputs((forTerminal(line) + '\n').c_str(), to);
  std::fflush(to);
}

}  // namespace lockstep::trainer
