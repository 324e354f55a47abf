// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>

namespace lockstep::cli {

/// While it lives, SIGINT and SIGTERM request a stop instead of ending the process; later ones change
/// nothing. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const;
  [[nodiscard]] bool happened() const { return token().stop_requested(); }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::cli
