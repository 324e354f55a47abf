// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <functional>

namespace lockstep {

/// Makes calls to a store side by side where each takes long, as over a network, and one after the other in the
/// caller's thread where a thread would cost more than the call, as on a disk. Which of the two it is, the calls
/// themselves tell. One owner thread; `call` is made in several.
class CallsAtOnce {
 public:
  /// Makes call(0) … call(count-1), in any order and each once, and returns when all are done.
  void make(std::size_t count, const std::function<void(std::size_t)>& call);
  /// How many calls are made at once at present.
  [[nodiscard]] std::size_t width() const;

 private:
  void makeWide(std::size_t first, std::size_t count, const std::function<void(std::size_t)>& call);

  bool isSlow_ = false;
};

inline constexpr std::size_t kCallsAtOnce = 16;

}  // namespace lockstep
