// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lockstep::trainer {

using Token = std::uint16_t;
inline constexpr std::size_t kMaxTokens = 1 << 16;  // train.bin has 16 bits for each
/// Between two documents of a text file, as GPT-2's vocabulary has it: one token, where the vocabulary knows
/// it.
inline constexpr std::string_view kEndOfText = "<|endoftext|>";

/// A byte-level BPE vocabulary: which pieces of bytes have tokens, and in which order pairs of pieces are
/// merged. Immutable; any thread.
class BpeVocabulary {
 public:
  /// What merging two tokens side by side makes, and how soon that is done: least rank first.
  struct Merge {
    std::uint32_t rank = 0;
    Token token = 0;
  };

  /// From the texts of vocab.json ({"piece": token, …}) and merges.txt (a pair of pieces on each line after
  /// "#version…"), both in the letters of byte_letters.h. DataLoss names the piece, or the line, at
  /// which they are none: pieces that are no bytes, two pieces of one token, tokens above 65,535, a byte
  /// without token, a merge of or into something that has none, a merge twice. `where` is "vocab.json" or
  /// "merges.txt:N".
  static Result<BpeVocabulary> parse(std::string_view vocabJson, std::string_view merges);

  /// The largest token and one.
  [[nodiscard]] std::size_t size() const { return pieces_.size(); }
  [[nodiscard]] Token tokenOf(unsigned char byte) const { return byteTokens_[byte]; }
  /// The bytes that a token stands for; empty: none.
  [[nodiscard]] std::string_view bytesOf(Token token) const {
    return token < pieces_.size() ? std::string_view(pieces_[token]) : std::string_view();
  }
  [[nodiscard]] std::optional<Token> endOfText() const { return endOfText_; }
  /// nullptr: the pair stays a pair.
  [[nodiscard]] const Merge* mergeOf(Token left, Token right) const {
    const auto found = merges_.find(key(left, right));
    return found == merges_.end() ? nullptr : &found->second;
  }

 private:
  using TokenByPiece = std::unordered_map<std::string, Token>;  // by letters
  static std::uint32_t key(Token left, Token right) { return std::uint32_t{left} << 16U | right; }
  Result<void> parsePieces(const std::vector<std::pair<std::string, Token>>& entries);
  Result<void> parseMerges(std::string_view merges, const TokenByPiece& tokens);
  Result<void> parseMerge(std::string_view line, const TokenByPiece& tokens);

  std::vector<std::string> pieces_;  // bytes, by token
  std::array<Token, 256> byteTokens_{};
  std::unordered_map<std::uint32_t, Merge> merges_;
  std::optional<Token> endOfText_;
};

}  // namespace lockstep::trainer
