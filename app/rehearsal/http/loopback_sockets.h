// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <unistd.h>

#include <utility>
#include <vector>

#include "base/error.h"

namespace lockstep::rehearsal {

/// A descriptor that is closed with the object; -1: none.
struct OpenSocket {
  int number = -1;
  explicit OpenSocket(int n) : number(n) {}
  OpenSocket(OpenSocket&& other) noexcept : number(std::exchange(other.number, -1)) {}
  OpenSocket& operator=(OpenSocket&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~OpenSocket() {
    if (number >= 0) ::close(number);
  }
};

/// What listens at one port of 127.0.0.1, and of ::1 where there is one: "localhost" may mean either.
struct LoopbackSockets {
  int port = 0;
  std::vector<OpenSocket> sockets;
};
/// Sockets that do not block. Port 0: one that is free. Unavailable: why not.
Result<LoopbackSockets> listenOnLoopback(int port);

}  // namespace lockstep::rehearsal
