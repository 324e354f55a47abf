// SPDX-License-Identifier: GPL-3.0-or-later
#include "starter/starter.h"

#include <algorithm>

namespace lockstep {

const Starter* findStarter(std::string_view name) {
  const auto found = std::find_if(starters().begin(), starters().end(),
                                  [&](const Starter& starter) { return starter.name == name; });
  return found == starters().end() ? nullptr : &*found;
}

}  // namespace lockstep
