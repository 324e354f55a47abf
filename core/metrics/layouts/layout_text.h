// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"
#include "metrics/layouts/dashboard_layout.h"

namespace lockstep {

/// Reads what layoutText() wrote, or somebody else (docs/formats/dashboard-layouts.md). Unknown fields are passed over; a
/// quantity that nobody knows stays. DataLoss: the message names the field, its value and what may stand there.
[[nodiscard]] Result<DashboardLayout> parseLayout(std::string_view text);
inline constexpr std::size_t kMaxLayoutBytes = 256 * 1024;

/// JSON on one line; fields that say the usual are left out.
[[nodiscard]] std::string layoutText(const DashboardLayout& layout);

}  // namespace lockstep
