// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/tensor_scalar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "metrics/events/protobuf_fields.h"

namespace lockstep {
namespace {

// Fields of TensorProto, TensorShapeProto and its Dim (tensor_shape.proto).
constexpr std::uint64_t kType = 1, kShape = 2, kContent = 4;
constexpr std::uint64_t kDimension = 2, kUnknownRank = 3;
constexpr std::uint64_t kDimensionSize = 1;

double fromFloat(std::uint64_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}
double fromDouble(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}
double fromInt32(std::uint64_t bits) {
  return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
}
double fromInt64(std::uint64_t bits) {
  return static_cast<double>(static_cast<std::int64_t>(bits));
}
double fromBfloat16(std::uint64_t bits) {
  return fromFloat((bits & 0xFFFFU) << 16);
}

/// IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of fraction.
double fromHalf(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1FU);
  const auto fraction = static_cast<double>(bits & 0x3FFU);
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  if (exponent == 31 && fraction != 0) return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 31) return sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

/// How numbers of one type stand in a tensor (tensorflow/core/framework/types.proto has the numbers of the types).
struct NumberType {
  std::uint64_t type;
  std::size_t size;      // of one in tensor_content
  std::uint64_t list;    // the field that has them where tensor_content has not
  Wire wire;             // of one in the list that is not packed
  std::size_t inPacked;  // of one in a packed list; 0: varints
  double (*valueOf)(std::uint64_t bits);
};
constexpr NumberType kTypes[] = {
    {1, 4, 5, Wire::Fixed32, 4, fromFloat},     {2, 8, 6, Wire::Fixed64, 8, fromDouble},
    {3, 4, 7, Wire::Varint, 0, fromInt32},      {9, 8, 10, Wire::Varint, 0, fromInt64},
    {14, 2, 13, Wire::Varint, 0, fromBfloat16}, {19, 2, 13, Wire::Varint, 0, fromHalf},
};

struct TensorHead {
  std::uint64_t type = 0;
  bool isOne = true;  // as far as the shape says: a tensor without one is a number
  std::string_view content;
};

/// Whether a dimension is one element wide. A size that is not said is 0. nullopt: broken.
std::optional<bool> isWidthOne(std::string_view message) {
  std::uint64_t size = 0;
  ProtobufFields fields(message);
  while (const auto field = fields.next())
    if (field->is(kDimensionSize, Wire::Varint)) size = field->value;
  return fields.isBroken() ? std::nullopt : std::optional(size == 1);
}

/// Whether the shape is that of one element; nullopt: broken.
std::optional<bool> isOneElement(std::string_view message) {
  bool isOne = true;
  ProtobufFields fields(message);
  while (const auto field = fields.next()) {
    if (field->is(kUnknownRank, Wire::Varint) && field->value != 0) isOne = false;
    if (!field->is(kDimension, Wire::Bytes)) continue;
    const auto width = isWidthOne(field->bytes);
    if (!width) return std::nullopt;
    isOne = isOne && *width;
  }
  return fields.isBroken() ? std::nullopt : std::optional(isOne);
}

/// nullopt: broken.
std::optional<TensorHead> tensorHead(std::string_view message) {
  TensorHead head;
  ProtobufFields fields(message);
  while (const auto field = fields.next()) {
    if (field->is(kType, Wire::Varint)) head.type = field->value;
    if (field->is(kContent, Wire::Bytes)) head.content = field->bytes;
    if (!field->is(kShape, Wire::Bytes)) continue;
    const auto isOne = isOneElement(field->bytes);
    if (!isOne) return std::nullopt;
    head.isOne = head.isOne && *isOne;
  }
  return fields.isBroken() ? std::nullopt : std::optional(head);
}

/// The single number of the list of that type. The message was read once: it is not broken itself.
TensorScalar onlyListed(std::string_view message, const NumberType& type) {
  std::optional<double> value;
  std::size_t count = 0;
  ProtobufFields fields(message);
  while (const auto field = fields.next()) {
    if (field->is(type.list, type.wire)) {
      value = type.valueOf(field->value);
      ++count;
    }
    if (!field->is(type.list, Wire::Bytes)) continue;
    PackedNumbers numbers(field->bytes, type.inPacked);
    for (; const auto bits = numbers.next(); ++count) value = type.valueOf(*bits);
    if (numbers.isBroken()) return {true, {}};
  }
  return {false, count == 1 ? value : std::nullopt};
}

}  // namespace

TensorScalar scalarOfTensor(std::string_view message) {
  const auto head = tensorHead(message);
  if (!head) return {true, {}};
  const auto* const type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                        [&](const NumberType& one) { return one.type == head->type; });
  if (!head->isOne || type == std::end(kTypes)) return {};
  if (head->content.empty()) return onlyListed(message, *type);
  if (head->content.size() != type->size) return {};
  return {false, type->valueOf(littleEndian(head->content))};
}

}  // namespace lockstep
