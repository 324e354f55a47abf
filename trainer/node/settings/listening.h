// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace lockstep::node {

/// Whether some program in this network namespace listens on that TCP port, at this IPv4 address or at all of
/// them. Asks the kernel, and so neither connects, which a program would wonder about, nor takes the port for
/// a moment.
[[nodiscard]] bool isListening(const std::string& address, int port);

}  // namespace lockstep::node
