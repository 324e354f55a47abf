// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep::node {

/// Cuts the bytes of one stream of a rank into lines, and writes each to a descriptor of ours in one piece,
/// so that lines of several ranks never mix. A line longer than 64 KiB goes out in parts. Keeps the last line
/// that said something.
class LinePump {
 public:
  LinePump(int outFd, std::string prefix) : outFd_(outFd), prefix_(std::move(prefix)) {}
  void add(std::string_view bytes);
  /// The rest, when the stream has ended without a line end.
  void finish();
  [[nodiscard]] const std::string& lastLine() const { return lastLine_; }

 private:
  void emit(std::string_view line);

  int outFd_;
  std::string prefix_;
  std::string pending_;
  std::string lastLine_;
};

}  // namespace lockstep::node
