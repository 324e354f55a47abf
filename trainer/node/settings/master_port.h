// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <utility>

#include "base/error.h"

namespace lockstep::node {

/// The port that rank 0, or a scheduler, is going to listen on, held against the other main nodes of this
/// machine as long as the object lives: two rehearsed clusters start at the same moment, and the port is
/// bound only seconds later.
class MasterPort {
 public:
  static constexpr int kUsual = 29400;

  /// `wanted`, when not 0, is taken as it is. Else the usual one, or a free one when that is taken or held.
  static Result<MasterPort> choose(int wanted, int usual = kUsual);
  MasterPort(MasterPort&& other) noexcept : port_(other.port_), lockFd_(other.lockFd_) { other.lockFd_ = -1; }
  MasterPort& operator=(MasterPort&& other) noexcept {
    std::swap(port_, other.port_);
    std::swap(lockFd_, other.lockFd_);
    return *this;
  }
  ~MasterPort();
  [[nodiscard]] int port() const { return port_; }

 private:
  MasterPort(int port, int lockFd) : port_(port), lockFd_(lockFd) {}
  int port_;
  int lockFd_;
};

}  // namespace lockstep::node
