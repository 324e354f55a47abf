// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::trainer {

/// How GPT-2's vocabulary files write bytes: each as one visible letter, so that a piece of any bytes is a
/// word
/// (`bytes_to_unicode()` of OpenAI's encoder.py: '!'…'~', '¡'…'¬' and '®'…'ÿ' stand for themselves, the 68
/// others for U+0100 onwards; a blank is 'Ġ', a line feed 'Ċ').
[[nodiscard]] std::string lettersOf(std::string_view bytes);
/// nullopt: a letter that stands for no byte, or no UTF-8.
[[nodiscard]] std::optional<std::string> bytesOfLetters(std::string_view letters);

/// The bytes in the order of GPT-2's first 256 tokens: those that stand for themselves, then the others.
[[nodiscard]] std::array<std::uint8_t, 256> bytesInTokenOrder();

}  // namespace lockstep::trainer
