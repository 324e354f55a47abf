// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "trainer/tokens/bpe_vocabulary.h"
#include "trainer/tokens/text_splitter.h"

namespace lockstep::trainer {

/// Turns text into tokens exactly as GPT-2's encoder.py does: cut into words, and in each word the pair of
/// least rank is merged, everywhere from left to right, until no pair has a merge. "<|endoftext|>" in the
/// text becomes that one token where the vocabulary has it. Any bytes can be encoded, and their tokens' bytes
/// side by side are the text again. Remembers what frequent words became. Not for two threads at once; the
/// vocabulary must outlive it.
class BpeEncoder {
 public:
  BpeEncoder(const BpeVocabulary& vocabulary, TextSplitter splitter);

  /// Appends the tokens of `text`. DataLoss: a word of more than kLongestWord bytes.
  Result<void> append(std::string_view text, std::vector<Token>& tokens);
  /// A letter in each of so many bytes without a blank is no language, and would take memory without bounds.
  static constexpr std::size_t kLongestWord = 1 << 20;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Symbol {
    Token token = 0;
    std::uint32_t previous = kNone, next = kNone;
    bool merged = false;  // into the one before
  };
  struct WordHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };

  Result<void> appendOrdinary(std::string_view text, std::vector<Token>& tokens);
  Result<void> appendWord(std::string_view word, std::vector<Token>& tokens);
  void mergeWord(std::string_view word, std::vector<Token>& tokens);
  void mergeAllOf(std::uint32_t rank);
  [[nodiscard]] const BpeVocabulary::Merge* mergeAt(std::uint32_t at) const;
  void wish(std::uint32_t at);
  std::uint64_t popMerge();

  const BpeVocabulary& vocabulary_;
  TextSplitter splitter_;
  std::vector<std::string_view> pieces_;
  std::unordered_map<std::string, std::vector<Token>, WordHash, std::equal_to<>> known_;
  // Of the word that is being merged.
  std::vector<Symbol> symbols_;
  std::vector<std::uint64_t> wishes_;  // a heap of (rank, place), the least first
  std::vector<std::uint32_t> grown_;
};

}  // namespace lockstep::trainer
