// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

/// Text of any origin for an HTML page, between tags or in a quoted attribute: nothing in it is markup, and control
/// characters, bidirectional controls and bytes that are no UTF-8 are shown as forTerminal() shows them. Pure.
[[nodiscard]] std::string escapedHtml(std::string_view text);

/// A whole page in English that loads nothing from elsewhere and follows the reader's choice of light or dark. `title` is any
/// text; `body` is HTML, all texts in which escapedHtml() has seen. The style knows the classes of the pages that Lockstep
/// writes: "ready", "warning", "blocked", "dim", and those of curves.
[[nodiscard]] std::string htmlPage(std::string_view title, std::string_view body);

}  // namespace lockstep
