// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdio>
#include <string>

namespace lockstep::trainer {

/// One line to stdout or stderr, at once: whoever reads our output through a pipe follows the training by it.
/// A reader that has gone away is no reason to end the training: nothing is thrown, nothing said (main()
/// ignores SIGPIPE). Any thread.
inline void putLine(std::FILE* to, std::string line) {
  line += '\n';
  std::fputs(line.c_str(), to);
  std::fflush(to);
}

}  // namespace lockstep::trainer
