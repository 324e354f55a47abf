// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// A closed range of IPv4 addresses, host byte order. A value.
struct Ipv4Range {
  std::uint32_t first = 0, last = 0;

  [[nodiscard]] bool contains(const Ipv4Range& other) const {
    return first <= other.first && other.last <= last;
  }
  [[nodiscard]] bool overlaps(const Ipv4Range& other) const {
    return first <= other.last && other.first <= last;
  }
  [[nodiscard]] std::optional<Ipv4Range> meet(const Ipv4Range& other) const;  // nullopt: nothing in common
  [[nodiscard]] std::uint64_t size() const { return std::uint64_t{last} - first + 1; }
  bool operator==(const Ipv4Range&) const = default;
};

inline constexpr Ipv4Range kEveryAddress{0, 0xffffffff};

/// "10.0.0.0/24". nullopt for what Networking would not take as an IPv4 block: bits beyond the prefix, an
/// IPv6 block, a name.
[[nodiscard]] std::optional<Ipv4Range> parseIpv4Block(std::string_view text);
[[nodiscard]] std::string ipv4Text(std::uint32_t address);  // "10.0.0.7"

}  // namespace lockstep
