// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::rehearsal {

/// An IPv4 address as a number: 10.0.0.2 is 0x0a000002.
using Ipv4 = std::uint32_t;

[[nodiscard]] std::optional<Ipv4> parseIpv4(std::string_view text);
[[nodiscard]] std::string ipv4Text(Ipv4 address);

/// A block of addresses.
struct Cidr {
  Ipv4 first = 0;
  int bits = 0;  // 0..32

  [[nodiscard]] Ipv4 last() const { return bits == 0 ? ~Ipv4{0} : first | (~Ipv4{0} >> (bits - 1) >> 1); }
  [[nodiscard]] bool contains(Ipv4 address) const { return first <= address && address <= last(); }
  [[nodiscard]] bool contains(const Cidr& other) const {
    return first <= other.first && other.last() <= last();
  }
  [[nodiscard]] bool overlaps(const Cidr& other) const {
    return first <= other.last() && other.first <= last();
  }
  [[nodiscard]] std::string text() const { return ipv4Text(first) + "/" + std::to_string(bits); }
  bool operator==(const Cidr&) const = default;
};

/// "10.0.0.0/24". Bits beyond the prefix must be zero.
[[nodiscard]] std::optional<Cidr> parseCidr(std::string_view text);
/// "2001:db8::/56"
[[nodiscard]] bool isIpv6Cidr(std::string_view text);

}  // namespace lockstep::rehearsal
