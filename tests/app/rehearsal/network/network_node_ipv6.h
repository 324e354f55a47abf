// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace lockstep::testing {

/// In the network namespace of the caller: gives eth0 the address fd00::HOST. Empty, or why not.
std::string parseIpv6(int host);
/// A UDP socket at that port, of IPv6 alone; -1 when it cannot be.
int listenIpv6(int port);
/// Whether a datagram to fd00::HOST is answered.
bool talkIpv6(int host, int port, int ms);

}  // namespace lockstep::testing
