// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/ip_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <string>

namespace lockstep {

bool isLoopbackAddress(std::string_view text) {
  const std::string address(text.substr(0, text.find('\0')));
  if (address.size() != text.size()) return false;
  in_addr four{};
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  in6_addr six{};
  if (::inet_pton(AF_INET6, address.c_str(), &six) != 1) return false;
  return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

}  // namespace lockstep
