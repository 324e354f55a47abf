// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <string>

#include "base/error.h"

namespace lockstep::trainer {

/// A listening TCP socket on every interface, on a port that the system chose. The caller owns the
/// descriptor.
struct Listener {
  int fd = -1;
  int port = 0;
};
Result<Listener> listenAnywhere();

/// A connection, and the address that this machine has on it. The caller owns the descriptor.
struct Connected {
  int fd = -1;
  std::string ownAddress;
};

/// Connects, trying again while nobody listens there yet. An unknown host name fails at once (NotFound); the
/// deadline gives DeadlineExceeded with the last reason. Blocks.
Result<Connected> connectUntil(const std::string& host, int port,
                               std::chrono::steady_clock::time_point deadline);

/// NotFound for a host name that nobody knows. A name server that does not answer now is no failure.
Result<void> checkHostName(const std::string& host);

/// The name of this machine.
[[nodiscard]] std::string hostName();

}  // namespace lockstep::trainer
