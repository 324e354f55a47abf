// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <string_view>

#include "metrics/layouts/dashboard_layout.h"

namespace lockstep {

/// "Heat map", "Step time", "Nodes and GPUs": what a card of that kind is called without quantities.
[[nodiscard]] QString titleOfKind(CardKind kind);
/// The name of a quantity as people read it.
[[nodiscard]] QString titleOfQuantity(std::string_view name);
/// Its own title, or that of its quantities: "Forward, Backward". Never empty, plain, on one line.
[[nodiscard]] QString titleOfCard(const DashboardCard& card);
/// Of a layout that comes with the program its name in the user's language, else the name on one line.
[[nodiscard]] QString titleOfLayout(std::string_view name);

}  // namespace lockstep
