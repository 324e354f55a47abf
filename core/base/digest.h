// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

[[nodiscard]] std::string sha256(std::string_view bytes);  // 32 raw bytes
[[nodiscard]] std::string md5(
    std::string_view bytes);  // 16 raw bytes; only where the wire contract asks for it

/// CRC-32C (Castagnoli, reflected, as in RFC 3720 appendix B.4): crc32c("123456789") == 0xE3069283.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);

}  // namespace lockstep
