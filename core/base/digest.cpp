// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/digest.h"

#include <openssl/evp.h>

#include <array>

namespace lockstep {
namespace {

std::string digest(const EVP_MD* algorithm, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned int length = 0;
  EVP_Digest(bytes.data(), bytes.size(), out.data(), &length, algorithm, nullptr);
  return {reinterpret_cast<const char*>(out.data()), length};
}

constexpr std::array<std::uint32_t, 256> crcTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0x82F63B78U : 0U);
    table[i] = value;
  }
  return table;
}
constexpr auto kCrcTable = crcTable();

}  // namespace

std::string sha256(std::string_view bytes) {
  return digest(EVP_sha256(), bytes);
}
std::string md5(std::string_view bytes) {
  return digest(EVP_md5(), bytes);
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t crc = ~seed;
  for (unsigned char c : bytes) crc = kCrcTable[(crc ^ c) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

}  // namespace lockstep
