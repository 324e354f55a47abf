// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "trainer/tokens/bpe_vocabulary.h"
#include "trainer/tokens/word_counts.h"

namespace lockstep::trainer {

struct LearnedBpe {
  std::vector<std::string> pieces;  // bytes, by token: GPT-2's 256, those that were learned, kEndOfText
  std::vector<std::pair<Token, Token>> merges;  // the first first
  double bytesPerToken = 0;                     // of the words that it was learned from
};

/// Learns a vocabulary of `size` tokens (257 to 65,536; fewer where nothing occurs twice any more): of all
/// pairs of tokens side by side in a word, that which occurs most becomes one, again and again; among equals,
/// that of the least left token, then of the least right one. The same counts give the same vocabulary.
/// `learned` is told the tokens that there are, now and then.
[[nodiscard]] LearnedBpe learnBpe(const WordCounts& counts, std::size_t size,
                                  const std::function<void(std::size_t)>& learned);

/// What GPT-2's tokenizers and Hugging Face's open as vocab.json and merges.txt.
[[nodiscard]] std::string vocabJsonOf(const LearnedBpe& learned);
[[nodiscard]] std::string mergesTextOf(const LearnedBpe& learned);

}  // namespace lockstep::trainer
