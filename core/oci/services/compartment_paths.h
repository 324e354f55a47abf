// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <vector>

#include "oci/services/identity_types.h"

namespace lockstep::oci {

/// By OCID: "team / training", the names from the tenancy's own compartments downwards. A parent that is not among them, such
/// as the tenancy, has no part in it.
[[nodiscard]] std::map<std::string, std::string> compartmentPaths(
    const std::vector<Compartment>& compartments);

}  // namespace lockstep::oci
