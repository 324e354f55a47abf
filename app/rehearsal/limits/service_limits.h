// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "rehearsal/front/wire.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// 400 LimitExceeded when `nodes` more nodes of that shape would exceed the tenancy's service limit, counting
/// what is live now (oci-rest-contract 4.10). Within the transaction that creates the run.
std::optional<Refusal> checkServiceLimit(Session& session, const std::string& tenancyId,
                                         const std::string& shapeName, int nodes);

}  // namespace lockstep::rehearsal
