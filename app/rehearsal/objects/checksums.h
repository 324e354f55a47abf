// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>

#include "rehearsal/api/router.h"

namespace lockstep::rehearsal {

/// The checksums that an upload asks for (opc-checksum-algorithm) or claims (opc-content-crc32c, -sha256,
/// -sha384), in base64, as headers that reads give back. 400 when a claim is wrong or unknown
/// (oci-rest-contract 4.3).
tl::expected<nlohmann::json, ServiceError> checkedSums(const Call& call);

}  // namespace lockstep::rehearsal
