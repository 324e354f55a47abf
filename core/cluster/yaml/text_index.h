// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/issue.h"

namespace lockstep {

/// Translates positions of one text: byte offsets, character numbers, lines and columns. Line ends are \n,
/// \r\n and a lone \r. Holds no copy: the text must outlive it.
class TextIndex {
 public:
  explicit TextIndex(std::string_view text);

  /// Line and column (in characters), both from 1.
  [[nodiscard]] TextPosition placeOf(std::size_t offset) const;
  /// The byte at which the character with this number (from 0) begins.
  [[nodiscard]] std::size_t offsetOfCharacter(std::size_t character) const;

 private:
  std::string_view text_;
  bool hasReturns_ = false;
  std::vector<std::size_t> lineStarts_;   // of every kLineStride-th line
  std::vector<std::size_t> checkpoints_;  // the offset of every kStride-th character; empty for pure ASCII
};

/// Number of characters (code points) of well-formed UTF-8.
[[nodiscard]] std::size_t characterCount(std::string_view text);

/// Where the line that holds `offset` begins, and where it ends (before its line break).
[[nodiscard]] std::size_t lineBegin(std::string_view text, std::size_t offset);
[[nodiscard]] std::size_t lineEnd(std::string_view text, std::size_t offset);
/// The offset after the line break at `offset`; `offset` itself when there is none.
[[nodiscard]] std::size_t afterLineBreak(std::string_view text, std::size_t offset);

}  // namespace lockstep
