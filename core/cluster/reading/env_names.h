// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

/// Whether the launch sets the variable itself, whatever the file says (ads-contract 2.3).
[[nodiscard]] bool isGeneratedVariable(std::string_view name);
/// The variable that a name which nothing reads is a slip of the pen for; empty when there is none.
[[nodiscard]] std::string_view meantVariable(std::string_view name);

}  // namespace lockstep
