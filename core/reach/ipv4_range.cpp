// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/ipv4_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

/// A decimal number of at most `max` at the beginning of `text`, which it is taken from.
std::optional<std::uint32_t> parseNumber(std::string_view& text, std::uint32_t max) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number > max) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<Ipv4Range> Ipv4Range::meet(const Ipv4Range& other) const {
  if (!overlaps(other)) return std::nullopt;
  return Ipv4Range{std::max(first, other.first), std::min(last, other.last)};
}

std::optional<Ipv4Range> parseIpv4Block(std::string_view text) {
  std::uint32_t address = 0;
  for (int i = 0; i < 4; ++i) {
    if (i > 0 && !take(text, '.')) return std::nullopt;
    const auto part = parseNumber(text, 255);
    if (!part) return std::nullopt;
    address = address << 8 | *part;
  }
  if (!take(text, '/')) return std::nullopt;
  const auto bits = parseNumber(text, 32);
  if (!bits || !text.empty()) return std::nullopt;
  const auto rest = static_cast<std::uint32_t>((std::uint64_t{1} << (32 - *bits)) - 1);
  if ((address & rest) != 0) return std::nullopt;
  return Ipv4Range{address, address | rest};
}

std::string ipv4Text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

}  // namespace lockstep
