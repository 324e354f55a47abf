// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// One word of a POSIX shell: single quotes where they are needed. NUL cannot be quoted and is dropped.
[[nodiscard]] std::string quoteShell(std::string_view word);
/// The same word as Python's shlex.quote() writes it, for what has to equal a text that `ads` sends.
[[nodiscard]] std::string quoteShellAsPython(std::string_view word);

/// A text for a place in which `$` begins a reference: values of docker compose files and env, command and
/// args of Kubernetes containers. `$` is doubled, whatever follows; YAML quoting comes on top.
[[nodiscard]] std::string quoteDollars(std::string_view text);

/// The value of a `#SBATCH --option=` line: double quotes, with backslashes. Such a line cannot hold a line
/// break, nor any other control character: each becomes a blank.
[[nodiscard]] std::string quoteSlurm(std::string_view value);

/// Text (no number) as a cell of a CSV file (RFC 4180). A spreadsheet takes what begins like a formula for
/// one, and runs it: such text gets a quote in front, which a spreadsheet takes for "this is text".
[[nodiscard]] std::string quoteCsv(std::string_view text);

/// The inverse of joining quoteShell()ed words with blanks, by the rules of Python's shlex.split (posix
/// mode), which is how the PyTorch containers of `ads` read OCI__ENTRY_SCRIPT_ARGS. An unclosed quote ends at
/// the end of the text.
[[nodiscard]] std::vector<std::string> splitShell(std::string_view text);

}  // namespace lockstep
