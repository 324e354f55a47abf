// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>

#include "oci/signing/pass_phrase_source.h"

namespace lockstep::cli {

/// Asks on the terminal that the program belongs to, without an echo, and remembers what opened a key for as
/// long as the program runs. stdin is left alone, so that a file can come from there. Refuses where there is
/// no terminal.
[[nodiscard]] std::shared_ptr<oci::PassPhraseSource> makePassPhrasePrompt(
    const std::filesystem::path& terminal = "/dev/tty");

}  // namespace lockstep::cli
