// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

// The primitives of the segment format (docs/formats/metric-segments.md 2), for this room only.
namespace lockstep {

/// Appends little-endian numbers and LEB128 varints to a byte string.
class ByteWriter {
 public:
  void byte(std::uint8_t value) { text_.push_back(static_cast<char>(value)); }
  void bytes(std::string_view value) { text_.append(value); }
  void u32(std::uint32_t value) { littleEndian(value, 4); }
  void u64(std::uint64_t value) { littleEndian(value, 8); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  /// Zigzag: small numbers of either sign stay short.
  void signedVarint(std::int64_t value) {
    varint((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void padTo(std::size_t size) {
    if (text_.size() < size) text_.resize(size, '\0');
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  std::string take() && { return std::move(text_); }

 private:
  void littleEndian(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  std::string text_;
};

/// Reads what ByteWriter wrote. Reading beyond the end gives zeros and sets failed(), for good.
class ByteReader {
 public:
  explicit ByteReader(std::string_view input) : rest_(input) {}
  [[nodiscard]] bool failed() const { return failed_; }

  std::uint8_t byte() {
    const auto one = bytes(1);
    return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one[0]);
  }
  std::string_view bytes(std::uint64_t count) {
    if (failed_ || count > rest_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::uint32_t u32() { return static_cast<std::uint32_t>(littleEndian(4)); }
  std::uint64_t u64() { return littleEndian(8); }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      if (shift == 63 && part > 1) break;  // more than 64 bits
      value |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
      if ((part & 0x80U) == 0) return value;
    }
    failed_ = true;
    return 0;
  }
  std::int64_t signedVarint() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }

 private:
  std::uint64_t littleEndian(std::uint64_t count) {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const char c : bytes(count)) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << shift;
      shift += 8;
    }
    return value;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace lockstep
