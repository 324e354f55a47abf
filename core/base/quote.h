// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// One word of a POSIX shell: single quotes where they are needed. NUL cannot be quoted and is dropped.
[[nodiscard]] std::string quoteShell(std::string_view word);

/// The inverse of joining quoteShell()ed words with blanks, by the rules of Python's shlex.split (posix mode), which is
/// how the PyTorch containers of `ads` read OCI__ENTRY_SCRIPT_ARGS. An unclosed quote ends at the end of the text.
[[nodiscard]] std::vector<std::string> splitShell(std::string_view text);

}  // namespace lockstep
