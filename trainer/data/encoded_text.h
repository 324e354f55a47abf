// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "base/error.h"
#include "trainer/tokens/vocabulary_files.h"

namespace lockstep::trainer {

struct EncodingOptions {
  std::filesystem::path spareFolder;  // for tokens of texts in folders that cannot be written; empty: none
  std::size_t threads = 1;
  std::function<void(const std::string&)> tell = [](const std::string&) {};  // lines for people
};

/// The file with the tokens of a text: 16-bit little-endian numbers, as train.bin has them. It lies in
/// `lockstep-tokens/` beside the text, under the text's name and a checksum of text and vocabulary, and is
/// made when it is not there, once per node: other processes wait. Older tokens of that text go. Blocks on
/// disk and computes; the text is read through once more than it is encoded, for the checksum.
Result<std::filesystem::path> encodedText(const std::filesystem::path& text, const ReadVocabulary& vocabulary,
                                          const EncodingOptions& options);

}  // namespace lockstep::trainer
