// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/encoding.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace lockstep {
namespace {

constexpr char kHexDigits[] = "0123456789ABCDEF";

int hexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool isUnreserved(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

// How many bytes at the start of `s`, eight at a time, are ASCII: most text is, and is passed over.
std::size_t asciiLength(std::string_view s) {
  std::size_t length = 0;
  for (std::uint64_t eight = 0; s.size() - length >= sizeof eight; length += sizeof eight) {
    std::memcpy(&eight, s.data() + length, sizeof eight);
    if ((eight & 0x8080808080808080U) != 0) break;
  }
  return length;
}

// Length of the well-formed UTF-8 sequence at the start of `s`, or 0.
std::size_t sequenceLength(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const auto isTail = [&](std::size_t i) { return i < s.size() && (byte(i) & 0xC0) == 0x80; };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return isTail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!isTail(1) || !isTail(2)) return 0;
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!isTail(1) || !isTail(2) || !isTail(3)) return 0;
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

std::string toBase64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3), '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  return out;
}

std::optional<std::string> fromBase64(std::string_view text) {
  std::string clean;
  std::copy_if(text.begin(), text.end(), std::back_inserter(clean),
               [](unsigned char c) { return !std::isspace(c); });
  if (clean.size() % 4 != 0) return std::nullopt;
  std::string out(clean.size() / 4 * 3, '\0');
  const int n =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(clean.data()), static_cast<int>(clean.size()));
  if (n < 0) return std::nullopt;
  const std::size_t padding =
      clean.empty() ? 0 : (clean.back() == '=') + (clean.size() > 1 && clean[clean.size() - 2] == '=');
  out.resize(static_cast<std::size_t>(n) - padding);
  return out;
}

std::string toBase64Url(std::string_view bytes) {
  std::string out = toBase64(bytes);
  std::replace(out.begin(), out.end(), '+', '-');
  std::replace(out.begin(), out.end(), '/', '_');
  out.erase(out.find_last_not_of('=') + 1);
  return out;
}

std::optional<std::string> fromBase64Url(std::string_view text) {
  std::string standard(text);
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  while (standard.size() % 4 != 0) standard += '=';
  return fromBase64(standard);
}

std::string toHex(std::string_view bytes) {
  std::string out;
  for (unsigned char c : bytes) {
    out += static_cast<char>(std::tolower(kHexDigits[c >> 4]));
    out += static_cast<char>(std::tolower(kHexDigits[c & 15]));
  }
  return out;
}

std::string percentEncode(std::string_view text, bool keepSlash) {
  std::string out;
  for (unsigned char c : text) {
    if (isUnreserved(c) || (keepSlash && c == '/')) {
      out += static_cast<char>(c);
    } else {
      out += '%';
      out += kHexDigits[c >> 4];
      out += kHexDigits[c & 15];
    }
  }
  return out;
}

std::string percentDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hexValue(text[i + 1]) >= 0 && hexValue(text[i + 2]) >= 0) {
      out += static_cast<char>(hexValue(text[i + 1]) * 16 + hexValue(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string randomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1)
    throw std::runtime_error("the operating system gave no random bytes");
  return bytes;
}

bool isUtf8(std::string_view bytes) {
  while (true) {
    bytes.remove_prefix(asciiLength(bytes));
    if (bytes.empty()) return true;
    const std::size_t n = sequenceLength(bytes);
    if (n == 0) return false;
    bytes.remove_prefix(n);
  }
}

std::string toValidUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t n = sequenceLength(bytes);
    if (n == 0)
      out += "\xEF\xBF\xBD";
    else
      out.append(bytes.substr(0, n));
    bytes.remove_prefix(std::max<std::size_t>(n, 1));
  }
  return out;
}

}  // namespace lockstep
