// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string_view>

#include "metrics/layouts/dashboard_layout.h"

namespace lockstep {

/// The layouts that come with the program, the first for who has chosen none. Names are English: widgets translate them.
[[nodiscard]] std::span<const DashboardLayout> builtInLayouts();
/// Null: no such layout comes with the program.
[[nodiscard]] const DashboardLayout* findBuiltIn(std::string_view name);

}  // namespace lockstep
