// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "oci/pass_phrase_source.h"

namespace lockstep::cli {

/// Asks on the terminal, without an echo, and remembers what opened a key for as long as the program runs.
/// Refuses where stdin is no terminal.
[[nodiscard]] std::shared_ptr<oci::PassPhraseSource> makePassPhrasePrompt();

}  // namespace lockstep::cli
