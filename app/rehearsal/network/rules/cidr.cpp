// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/rules/cidr.h"

#include <arpa/inet.h>

#include <charconv>

namespace lockstep::rehearsal {
namespace {

std::optional<int> parsePrefix(std::string_view text, int max) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > max)
    return std::nullopt;
  return value;
}

}  // namespace

std::optional<Ipv4> parseIpv4(std::string_view text) {
  in_addr parsed{};
  if (::inet_pton(AF_INET, std::string(text).c_str(), &parsed) != 1) return std::nullopt;
  return ntohl(parsed.s_addr);
}

std::string ipv4Text(Ipv4 address) {
  const in_addr value{htonl(address)};
  char text[INET_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET, &value, text, sizeof text);
  return text;
}

std::optional<Cidr> parseCidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto first = parseIpv4(text.substr(0, slash));
  const auto bits = parsePrefix(text.substr(slash + 1), 32);
  if (!first || !bits) return std::nullopt;
  const Ipv4 mask = *bits == 0 ? 0 : ~Ipv4{0} << (32 - *bits);
  if ((*first & mask) != *first) return std::nullopt;
  return Cidr{*first, *bits};
}

bool isIpv6Cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !parsePrefix(text.substr(slash + 1), 128)) return false;
  in6_addr parsed{};
  return ::inet_pton(AF_INET6, std::string(text.substr(0, slash)).c_str(), &parsed) == 1;
}

}  // namespace lockstep::rehearsal
