// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "setup/step/setup_context.h"

namespace lockstep {

/// Where requests would go, as far as it is known: also of a profile that cannot be used yet.
struct ServiceTarget {
  std::string name;                // "us-ashburn-1" | "http://127.0.0.1:8080"
  std::string serviceUrl;          // of Object Storage, whose clock is asked
  std::vector<std::string> hosts;  // whose names have to be found; none for an address
  std::string certificateBundle;   // empty: the system's
  bool isKnownRegion = true;       // in our table
  bool isLoopback = false;
};

/// Nothing when neither profile nor choice nor environment names a region or an endpoint. Blocks on disk.
[[nodiscard]] std::optional<ServiceTarget> placeOf(const SetupContext& context);

}  // namespace lockstep
