// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

[[nodiscard]] std::string toBase64(std::string_view bytes);
/// Standard alphabet; white space is ignored. nullopt: not base64.
[[nodiscard]] std::optional<std::string> fromBase64(std::string_view text);
[[nodiscard]] std::string toBase64Url(std::string_view bytes);  // no padding, as JWTs want it
[[nodiscard]] std::optional<std::string> fromBase64Url(std::string_view text);
[[nodiscard]] std::string toHex(std::string_view bytes);  // lower case

/// Percent-encodes every byte outside RFC 3986 "unreserved"; with keepSlash, '/' stays (object names in a path).
[[nodiscard]] std::string percentEncode(std::string_view text, bool keepSlash = false);
/// A '%' without two hex digits stays as it is. '+' is not a blank here.
[[nodiscard]] std::string percentDecode(std::string_view text);

/// `count` random bytes from the operating system.
[[nodiscard]] std::string randomBytes(std::size_t count);

/// Whether the bytes are well-formed UTF-8 (no surrogates, no overlong forms).
[[nodiscard]] bool isUtf8(std::string_view bytes);
/// The same text with every malformed byte replaced by U+FFFD.
[[nodiscard]] std::string toValidUtf8(std::string_view bytes);

}  // namespace lockstep
