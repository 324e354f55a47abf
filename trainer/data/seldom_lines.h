// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace lockstep::trainer {

/// Tells people how far something is, every five seconds at most and not in the first five.
class SeldomLines {
 public:
  explicit SeldomLines(const std::function<void(const std::string&)>& tell) : tell_(tell) {}
  /// `make` gives the line, if there is to be one.
  template <class Make>
  void say(Make make) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(5)) return;
    last_ = now;
    tell_(make());
  }

 private:
  const std::function<void(const std::string&)>& tell_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace lockstep::trainer
