// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

/// The wire types of protobuf (https://protobuf.dev/programming-guides/encoding/). Groups (3, 4) are none of ours.
enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// One field of a message, as it stands there. `bytes` is a part of the message and lives as long as that does.
struct ProtobufField {
  std::uint64_t number = 0;
  Wire wire = Wire::Varint;
  std::uint64_t value = 0;  // of a Varint; of a Fixed64 or Fixed32, their bits
  std::string_view bytes;   // of Bytes

  [[nodiscard]] bool is(std::uint64_t wanted, Wire as) const { return number == wanted && wire == as; }
};

/// The fields of a protobuf message one after the other, in its order and without knowing what they mean. No bytes make it
/// read beyond the end or allocate.
class ProtobufFields {
 public:
  explicit ProtobufFields(std::string_view message) : rest_(message) {}

  /// nullopt: there are no more, or isBroken().
  [[nodiscard]] std::optional<ProtobufField> next();
  /// The message ends inside a field, or has one that no protobuf of today has: a group, the number 0, a varint of more
  /// than 64 bits.
  [[nodiscard]] bool isBroken() const { return isBroken_; }

 private:
  std::uint64_t fixed(std::size_t size);
  std::uint64_t varint();
  std::string_view take(std::uint64_t size);

  std::string_view rest_;
  bool isBroken_ = false;
};

/// Numbers that stand next to each other without keys: bytes of a tensor, a packed field. As above.
class PackedNumbers {
 public:
  /// `size`: of each in bytes, little-endian; 0: they are varints.
  PackedNumbers(std::string_view bytes, std::size_t size) : rest_(bytes), size_(size) {}
  /// nullopt: there are no more, or isBroken().
  [[nodiscard]] std::optional<std::uint64_t> next();
  [[nodiscard]] bool isBroken() const { return isBroken_; }

 private:
  std::string_view rest_;
  std::size_t size_;
  bool isBroken_ = false;
};

/// Takes a varint off the beginning; nullopt: it does not end, or has more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> takeVarint(std::string_view& bytes);
/// The bits of all of `bytes`, at most 8, the low byte first.
[[nodiscard]] std::uint64_t littleEndian(std::string_view bytes);

}  // namespace lockstep
