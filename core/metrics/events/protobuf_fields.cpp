// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/protobuf_fields.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kMaxNumber = (1U << 29) - 1;

}  // namespace

std::optional<std::uint64_t> takeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto part = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (shift == 63 && part > 1) break;  // more than 64 bits
    value |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
    if ((part & 0x80U) == 0) return value;
  }
  return std::nullopt;
}

std::uint64_t littleEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

std::optional<ProtobufField> ProtobufFields::next() {
  if (rest_.empty() || isBroken_) return std::nullopt;
  const std::uint64_t key = varint();
  ProtobufField field;
  field.number = key >> 3;
  field.wire = static_cast<Wire>(key & 7);
  if (field.wire == Wire::Varint)
    field.value = varint();
  else if (field.wire == Wire::Fixed64)
    field.value = fixed(8);
  else if (field.wire == Wire::Fixed32)
    field.value = fixed(4);
  else if (field.wire == Wire::Bytes)
    field.bytes = take(varint());
  else
    isBroken_ = true;
  if (field.number == 0 || field.number > kMaxNumber) isBroken_ = true;
  return isBroken_ ? std::nullopt : std::optional(field);
}

std::uint64_t ProtobufFields::fixed(std::size_t size) {
  return littleEndian(take(size));
}

std::uint64_t ProtobufFields::varint() {
  const auto value = takeVarint(rest_);
  if (!value) isBroken_ = true;
  return value.value_or(0);
}

std::string_view ProtobufFields::take(std::uint64_t size) {
  if (isBroken_ || size > rest_.size()) {
    isBroken_ = true;
    return {};
  }
  const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(size));
  rest_.remove_prefix(taken.size());
  return taken;
}

std::optional<std::uint64_t> PackedNumbers::next() {
  if (rest_.empty() || isBroken_) return std::nullopt;
  if (size_ == 0) {
    const auto value = takeVarint(rest_);
    isBroken_ = !value;
    return value;
  }
  isBroken_ = rest_.size() < size_;
  if (isBroken_) return std::nullopt;
  const std::uint64_t value = littleEndian(rest_.substr(0, size_));
  rest_.remove_prefix(size_);
  return value;
}

}  // namespace lockstep
