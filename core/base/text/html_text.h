// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

/// Text of any origin for an HTML page, between tags or in a quoted attribute: nothing in it is markup, and control
/// characters, bidirectional controls and bytes that are no UTF-8 are shown as forTerminal() shows them. Pure.
[[nodiscard]] std::string escapedHtml(std::string_view text);

}  // namespace lockstep
