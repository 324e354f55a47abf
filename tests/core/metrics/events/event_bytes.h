// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/digest.h"

// Writes the bytes of event files, as TensorFlow and PyTorch do: shares nothing with what reads them.
namespace lockstep::events {

template <class Number>
std::string little(Number number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof number; ++i)
    bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xFFU);
  return bytes;
}

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

inline std::string key(std::uint64_t field, unsigned wire) {
  return varint(field << 3 | wire);
}
inline std::string number(std::uint64_t field, std::uint64_t value) {
  return key(field, 0) + varint(value);
}
inline std::string bytes(std::uint64_t field, std::string_view text) {
  return key(field, 2) + varint(text.size()) + std::string(text);
}
inline std::string fixed64(std::uint64_t field, double value) {
  return key(field, 1) + little(std::bit_cast<std::uint64_t>(value));
}
inline std::string fixed32(std::uint64_t field, float value) {
  return key(field, 5) + little(std::bit_cast<std::uint32_t>(value));
}

inline std::string masked(std::string_view of) {
  const std::uint32_t crc = crc32c(of);
  return little(static_cast<std::uint32_t>((crc >> 15 | crc << 17) + 0xA282EAD8U));
}
inline std::string head(std::uint64_t size) {
  return little(size) + masked(little(size));
}
inline std::string record(std::string_view event) {
  return head(event.size()) + std::string(event) + masked(event);
}

inline std::string version(double seconds = 1'700'000'000) {
  return record(fixed64(1, seconds) + bytes(3, "brain.Event:2"));
}
inline std::string summary(double seconds, long long step, std::string_view values) {
  return fixed64(1, seconds) + number(2, static_cast<std::uint64_t>(step)) + bytes(5, values);
}
inline std::string simple(std::string_view tag, float value) {
  return bytes(1, bytes(1, tag) + fixed32(2, value));
}
/// A record with one scalar as PyTorch writes it.
inline std::string scalar(std::string_view tag, long long step, float value, double seconds = 1'700'000'000) {
  return record(summary(seconds, step, simple(tag, value)));
}

inline std::string plugin(std::string_view name) {
  return bytes(9, bytes(1, bytes(1, name)));
}
/// A value as TensorFlow 2 writes it.
inline std::string tensor(std::string_view tag, std::string_view message, std::string_view of = "scalars") {
  return bytes(1, bytes(1, tag) + bytes(8, message) + plugin(of));
}
inline std::string dimension(std::uint64_t size) {
  return bytes(2, number(1, size));
}

inline void write(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}
inline void append(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

}  // namespace lockstep::events
