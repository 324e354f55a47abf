// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/tokens/byte_letters.h"

namespace lockstep::trainer {
namespace {

constexpr int kBytes = 256;
constexpr int kLettersEnd = 0x100 + 68;

constexpr bool standsForItself(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::array<int, kBytes> letterTable() {
  std::array<int, kBytes> table{};
  int next = 0x100;
  for (int byte = 0; byte < kBytes; ++byte)
    table[static_cast<std::size_t>(byte)] = standsForItself(byte) ? byte : next++;
  return table;
}
constexpr auto kLetters = letterTable();

// -1: stands for no byte.
constexpr std::array<int, kLettersEnd> byteTable() {
  std::array<int, kLettersEnd> table{};
  table.fill(-1);
  for (int byte = 0; byte < kBytes; ++byte)
    table[static_cast<std::size_t>(kLetters[static_cast<std::size_t>(byte)])] = byte;
  return table;
}
constexpr auto kByteOf = byteTable();

// The letter at the front, which is removed; all letters here take one or two bytes in UTF-8. -1: none of
// them.
int popLetter(std::string_view& letters) {
  const int first = static_cast<unsigned char>(letters.front());
  letters.remove_prefix(1);
  if (first < 0x80) return first;
  if (first < 0xC2 || first > 0xDF || letters.empty()) return -1;
  const int second = static_cast<unsigned char>(letters.front());
  letters.remove_prefix(1);
  return (second & 0xC0) == 0x80 ? ((first & 0x1F) << 6) | (second & 0x3F) : -1;
}

}  // namespace

std::string lettersOf(std::string_view bytes) {
  std::string letters;
  for (const char byte : bytes) {
    const int letter = kLetters[static_cast<unsigned char>(byte)];
    if (letter < 0x80) {
      letters += static_cast<char>(letter);
    } else {
      letters += static_cast<char>(0xC0 | (letter >> 6));
      letters += static_cast<char>(0x80 | (letter & 0x3F));
    }
  }
  return letters;
}

std::optional<std::string> bytesOfLetters(std::string_view letters) {
  std::string bytes;
  while (!letters.empty()) {
    const int letter = popLetter(letters);
    if (letter < 0 || letter >= kLettersEnd) return std::nullopt;
    const int byte = kByteOf[static_cast<std::size_t>(letter)];
    if (byte < 0) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::array<std::uint8_t, 256> bytesInTokenOrder() {
  std::array<std::uint8_t, 256> order{};
  std::size_t at = 0;
  for (const bool self : {true, false})
    for (int byte = 0; byte < kBytes; ++byte)
      if (standsForItself(byte) == self) order[at++] = static_cast<std::uint8_t>(byte);
  return order;
}

}  // namespace lockstep::trainer
