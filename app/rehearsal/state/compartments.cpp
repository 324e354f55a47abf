// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state/compartments.h"

namespace lockstep::rehearsal {

bool isWithin(Transaction& transaction, const std::string& compartmentId, const std::string& ancestorId) {
  std::string id = compartmentId;
  for (int depth = 0; depth < 8; ++depth) {  // compartments nest at most six deep
    if (id == ancestorId) return true;
    const auto compartment = findResource(transaction, kind::kCompartment, id);
    if (!compartment) return false;
    id = compartment->compartment;
  }
  return false;
}

std::string namespaceOf(Transaction& transaction, const Principal& principal) {
  const auto tenancy = findResource(transaction, kind::kTenancy, principal.tenancyId);
  return tenancy ? tenancy->hidden.value("namespace", "") : "";
}

}  // namespace lockstep::rehearsal
