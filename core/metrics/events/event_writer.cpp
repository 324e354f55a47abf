// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_writer.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "base/digest.h"
#include "base/plain_nan.h"

// Fields and types as in event_message.cpp, the frame as in event_records.h.
namespace lockstep {
namespace {

constexpr std::uint32_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;
constexpr std::uint64_t kDouble = 2;  // DT_DOUBLE of tensorflow/core/framework/types.proto

void putLittle(std::string& to, std::uint64_t bits, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(bits >> (8 * i) & 0xFFU);
}

void putVarint(std::string& to, std::uint64_t value) {
  while (value >= 0x80) {
    to += static_cast<char>((value & 0x7FU) | 0x80U);
    value >>= 7;
  }
  to += static_cast<char>(value);
}

void putKey(std::string& to, std::uint32_t field, std::uint32_t type) {
  putVarint(to, field << 3U | type);
}

void putBytes(std::string& to, std::uint32_t field, std::string_view bytes) {
  putKey(to, field, kBytes);
  putVarint(to, bytes.size());
  to += bytes;
}

void putDouble(std::string& to, std::uint32_t field, double value) {
  putKey(to, field, kFixed64);
  putLittle(to, std::bit_cast<std::uint64_t>(value), 8);
}

bool fitsFloat(double value) {
  if (!std::isfinite(value)) return true;
  return std::fabs(value) <= FLT_MAX && static_cast<double>(static_cast<float>(value)) == value;
}

// TensorProto: dtype, no dimensions, double_val.
std::string tensorOf(double value) {
  std::string tensor;
  putKey(tensor, 1, kVarint);
  putVarint(tensor, kDouble);
  putBytes(tensor, 2, {});
  std::string packed;
  putLittle(packed, std::bit_cast<std::uint64_t>(value), 8);
  putBytes(tensor, 6, packed);
  return tensor;
}

std::string valueOf(std::string_view name, double value) {
  std::string summary;
  putBytes(summary, 1, name);
  if (fitsFloat(value)) {
    putKey(summary, 2, kFixed32);
    putLittle(summary, std::bit_cast<std::uint32_t>(static_cast<float>(plainNan(value))), 4);
    return summary;
  }
  putBytes(summary, 8, tensorOf(value));
  std::string plugin, metadata;
  putBytes(plugin, 1, "scalars");
  putBytes(metadata, 1, plugin);
  putBytes(summary, 9, metadata);
  return summary;
}

std::uint32_t masked(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

void putRecord(std::string& to, std::string_view event) {
  std::string length;
  putLittle(length, event.size(), 8);
  to += length;
  putLittle(to, masked(length), 4);
  to += event;
  putLittle(to, masked(event), 4);
}

double secondsOf(TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace

std::string eventFileHead(TimePoint time) {
  std::string event, record;
  putDouble(event, 1, secondsOf(time));
  putBytes(event, 3, "brain.Event:2");
  putRecord(record, event);
  return record;
}

void appendScalarEvent(std::string& to, Step step, TimePoint time, std::string_view name, double value) {
  std::string event, summary;
  putDouble(event, 1, secondsOf(time));
  putKey(event, 2, kVarint);
  putVarint(event, static_cast<std::uint64_t>(step));
  putBytes(summary, 1, valueOf(name, value));
  putBytes(event, 5, summary);
  putRecord(to, event);
}

}  // namespace lockstep
