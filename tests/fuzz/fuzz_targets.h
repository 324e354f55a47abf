// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// What the fuzzers try, and a test replays over the kept inputs. Each returns what went against a promise of
// the code, or nothing.

/// Reads the input as a train.yaml: nodes, checks, values, plan.
[[nodiscard]] std::string tryReader(std::string_view input);

/// The input is a text, a NUL, and bytes that choose edits: sets, appends, removals, renames, mends, typing.
/// Each is refused, or the text after it is YAML in which only that place changed, undoing it restores the
/// bytes, and the document made on the short way equals the one read afresh.
[[nodiscard]] std::string tryEditor(std::string_view input);

/// The input is a vocab.json, a NUL, a merges.txt, a NUL and a text; no vocab.json: one of all bytes and what
/// the merges make. The vocabulary is refused with cause and place, or the text's tokens are the text again,
/// each time the same ones, and the text has the same words when it is cut.
[[nodiscard]] std::string tryTokenizer(std::string_view input);

/// Reads the input as a heartbeat, and as findings of nodes with a NUL between them: each is refused in words, or
/// within its bounds, and what is judged of them is said on one line each.
[[nodiscard]] std::string tryHealth(std::string_view input);

}  // namespace lockstep
