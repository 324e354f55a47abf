// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace lockstep::rehearsal {

/// Cuts one stream of bytes into lines. A CR before the LF goes; other CRs stay, as the log service keeps
/// them. Of a line without end only the beginning is kept (progress bars), so memory is bounded.
class LineCapture {
 public:
  using Sink = std::function<void(std::string_view line)>;
  explicit LineCapture(Sink sink) : sink_(std::move(sink)) {}

  static constexpr std::size_t kKeptBytes = 44000;  // more than 10,000 characters of UTF-8

  void take(std::string_view bytes);
  /// The stream has ended: what has no line end is a line too.
  void finish();

 private:
  void emit();

  Sink sink_;
  std::string line_;
  bool begun_ = false;
};

/// Well-formed UTF-8 of at most `maximum` characters.
[[nodiscard]] std::string cutToCharacters(std::string_view text, std::size_t maximum);

}  // namespace lockstep::rehearsal
