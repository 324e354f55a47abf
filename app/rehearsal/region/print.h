// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <iostream>
#include <string_view>

#include "base/text/terminal_text.h"

namespace lockstep::rehearsal {

// Everything that the program says on its streams goes through these, so that a name in the state or in a
// request cannot steer a terminal.

inline void printOut(std::string_view text) {
  std::cout << forTerminal(text) << std::flush;
}
inline void printErr(std::string_view text) {
  std::cerr << "lockstep-rehearsal: " << forTerminal(text) << "\n";
}

}  // namespace lockstep::rehearsal
