// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

/// Cuts what a process prints into the pieces that a terminal shows one after the other: lines, and the states of bars of
/// progress, which end with CR or go back over what they wrote. One thread at a time.
class OutputPieces {
 public:
  /// Calls `take(std::string_view)` for each whole piece that is not empty.
  template <class Take>
  void add(std::string_view bytes, Take take) {
    for (std::size_t end; (end = bytes.find_first_of(kEnds)) != std::string_view::npos;
         bytes.remove_prefix(end + 1)) {
      append(bytes.substr(0, end));
      if (!pending_.empty()) take(std::string_view(pending_));
      pending_.clear();
    }
    append(bytes);
  }

 private:
  static constexpr std::string_view kEnds = "\n\r\b";
  static constexpr std::size_t kMax = 8192;  // of a longer piece its beginning
  void append(std::string_view bytes) { pending_.append(bytes.substr(0, kMax - pending_.size())); }
  std::string pending_;
};

}  // namespace lockstep
