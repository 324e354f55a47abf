// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "base/error.h"

namespace lockstep::trainer {

/// Learns a byte-level BPE of `vocabulary` tokens (257 to 65,536) from the training text in the folder, on
/// `threads` threads, and writes it there as vocab.json and merges.txt, over such files only with `replace`.
/// The same text gives the same files. `tell` gets lines for people. Blocks on disk and computes. NotFound:
/// there is no text.
Result<void> makeTokenizer(const std::filesystem::path& folder, std::size_t vocabulary, bool replace,
                           std::size_t threads, const std::function<void(const std::string&)>& tell);

}  // namespace lockstep::trainer
