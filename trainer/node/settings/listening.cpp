// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/settings/listening.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

namespace lockstep::node {
namespace {

// "0: 0100007F:2252 00000000:0000 0A …": slot, own address, other address, state.
bool listensIn(const char* table, const std::string& address, int port) {
  constexpr const char* kListen = "0A";
  std::ifstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string slot, own, other, state;
    words >> slot >> own >> other >> state;
    const std::size_t colon = own.rfind(':');
    if (state != kListen || colon == std::string::npos) continue;
    int found = 0;
    std::from_chars(own.data() + colon + 1, own.data() + own.size(), found, 16);
    const std::string place = own.substr(0, colon);
    const bool everywhere = place.find_first_not_of('0') == std::string::npos;
    if (found == port && (everywhere || place == address)) return true;
  }
  return false;
}

}  // namespace

bool isListening(const std::string& address, int port) {
  in_addr own{};
  ::inet_pton(AF_INET, address.c_str(), &own);
  const std::string hex = fmt::format("{:08X}", own.s_addr);  // as the kernel prints it
  return listensIn("/proc/net/tcp", hex, port) || listensIn("/proc/net/tcp6", hex, port);
}

}  // namespace lockstep::node
