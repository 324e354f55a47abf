// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state/compartments.h"

namespace lockstep::rehearsal {

bool isWithin(Session& session, const std::string& compartmentId, const std::string& ancestorId) {
  std::string id = compartmentId;
  for (int depth = 0; depth < 8; ++depth) {  // compartments nest at most six deep
    if (id == ancestorId) return true;
    const auto compartment = findResource(session, kind::kCompartment, id);
    if (!compartment) return false;
    id = compartment->compartment;
  }
  return false;
}

}  // namespace lockstep::rehearsal
