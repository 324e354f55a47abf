// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

enum class TerminalColors { Drop, Keep };

/// Text of any origin as a terminal may have it: a terminal obeys what it is sent, and a job, a service or a
/// file could clear the screen, set the clipboard or write over what stands there. Control characters, C1
/// ones too, bidirectional controls and bytes that are no UTF-8 are shown ("␛", "\x9B", "\u202E") instead of
/// sent; tabs and line ends stay. With Keep, colors and the like pass (SGR, none that hides text), and end
/// with their line; with Drop, they are left out. What came out of here passes unchanged.
[[nodiscard]] std::string forTerminal(std::string_view text, TerminalColors colors = TerminalColors::Drop);

/// The same for what is to stand in one line, e.g. in a cell: line ends are shown, too.
[[nodiscard]] std::string onOneLine(std::string_view text, TerminalColors colors = TerminalColors::Drop);

/// `json`, as dumped, with what a terminal must not have escaped as JSON has it ("\u009b").
[[nodiscard]] std::string jsonForTerminal(std::string_view json);

}  // namespace lockstep
