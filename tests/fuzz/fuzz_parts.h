// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.h"

namespace lockstep {

/// Takes an input apart from left to right; what is used up is empty.
class Parts {
 public:
  explicit Parts(std::string_view input) : rest_(input) {}
  [[nodiscard]] bool more() const { return !rest_.empty(); }
  /// Up to the next NUL.
  std::string_view text() {
    const std::string_view part = rest_.substr(0, rest_.find('\0'));
    rest_.remove_prefix(std::min(part.size() + 1, rest_.size()));
    return part;
  }
  /// As many bytes as the next two say, the low one first.
  std::string_view counted() {
    const std::size_t low = byte();
    const std::string_view part = rest_.substr(0, low + 256 * byte());
    rest_.remove_prefix(part.size());
    return part;
  }
  /// Zero at the end.
  std::size_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// Bytes below the blank, and DEL.
[[nodiscard]] inline bool hasControls(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// What is wrong with a refusal: another code, or no word of what was wrong.
[[nodiscard]] inline std::string wordless(const Error& error, ErrorCode expected) {
  if (error.code != expected) return "refused with another code: " + describe(error);
  return error.what.empty() || error.cause.empty() ? "refused without a word" : std::string();
}

}  // namespace lockstep
