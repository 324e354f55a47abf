// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "rehearsal/resources.h"
#include "rehearsal/signature_verifier.h"

namespace lockstep::rehearsal {

/// Who may do what. Users of a tenancy may do everything in it; what runs in a job run may do what the
/// guide's policies grant its dynamic group: use objects, read its job and network, read logs.
[[nodiscard]] bool mayCall(const Principal& principal, const std::string& operation);

/// The tenancy that a compartment (or tenancy) OCID belongs to.
std::optional<std::string> tenancyOf(Session& session, const std::string& compartmentId);

/// Whether the compartment exists and is of the caller's tenancy. The service does not tell the two apart.
bool maySee(Session& session, const Principal& principal, const std::string& compartmentId);

/// The resource, if it exists and is of the caller's tenancy.
std::optional<Resource> findVisible(Session& session, const Principal& principal, const std::string& kind,
                                    const std::string& id);

/// 412 when the call has an if-match that is not this etag.
std::optional<Refusal> checkIfMatch(const std::optional<std::string>& ifMatch, const std::string& etag);

}  // namespace lockstep::rehearsal
