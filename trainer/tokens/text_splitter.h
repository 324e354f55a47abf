// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep::trainer {

/// Cuts a text into the words that byte-level BPE works on, by the pattern of GPT-2 (OpenAI's encoder.py):
/// English endings like 's and 'll; a blank, if there is one, with a run of letters, of digits, or of other
/// signs; white space. The pieces side by side are the text. What is no UTF-8 stands in pieces of its own.
/// Not for two threads at once.
class TextSplitter {
 public:
  /// Internal, with the library's words: PCRE2 cannot compile the pattern.
  static Result<TextSplitter> make();
  TextSplitter(TextSplitter&&) noexcept;
  TextSplitter& operator=(TextSplitter&&) noexcept;
  ~TextSplitter();

  /// Appends the pieces of `text`, as views of it.
  Result<void> split(std::string_view text, std::vector<std::string_view>& pieces);
  /// A place at or after `from` where the text can be cut without changing any piece: after something that is
  /// no white space and before white space. The end of the text where there is none.
  Result<std::size_t> placeToCut(std::string_view text, std::size_t from);

 private:
  class Pattern;
  TextSplitter(std::unique_ptr<Pattern> words, std::unique_ptr<Pattern> cut);
  Result<void> splitUtf8(std::string_view text, std::vector<std::string_view>& pieces);
  std::unique_ptr<Pattern> words_, cut_;
};

}  // namespace lockstep::trainer
