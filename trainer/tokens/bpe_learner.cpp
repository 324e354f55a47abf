// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/tokens/bpe_learner.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>

#include "trainer/tokens/byte_letters.h"

namespace lockstep::trainer {
namespace {

constexpr std::uint64_t kMinCount = 2;
constexpr std::size_t kMergesPerNotice = 256;

std::uint32_t keyOf(Token left, Token right) {
  return std::uint32_t{left} << 16U | right;
}

/// Holds the words as tokens, and for each pair how often it occurs and in which words.
class PairTable {
 public:
  PairTable(const WordCounts& counts, const std::array<Token, 256>& byteTokens);

  /// Most frequent first; nullopt: none occurs twice.
  std::optional<std::uint32_t> popMostFrequent();
  void merge(std::uint32_t pair, Token made);
  [[nodiscard]] double bytesPerToken() const;

 private:
  struct Word {
    std::size_t begin = 0;
    std::uint32_t length = 0, bytes = 0;
    std::uint64_t count = 0;
  };
  struct Pair {
    std::uint64_t count = 0;
    std::vector<std::uint32_t> words;  // those that have it, and some that had
  };
  struct Candidate {
    std::uint64_t count = 0;
    std::uint32_t key = 0;
    bool operator<(const Candidate& other) const {  // the greatest is the best
      return std::tie(count, other.key) < std::tie(other.count, key);
    }
  };

  [[nodiscard]] std::span<Token> tokensOf(const Word& word) {
    return std::span(tokens_).subspan(word.begin, word.length);
  }
  void mergeInWord(std::uint32_t number, std::uint32_t pair, Token made, std::vector<std::uint32_t>& grown);

  std::vector<Token> tokens_;
  std::vector<Word> words_;
  std::unordered_map<std::uint32_t, Pair> pairs_;
  std::priority_queue<Candidate> candidates_;
};

PairTable::PairTable(const WordCounts& counts, const std::array<Token, 256>& byteTokens) {
  std::vector<const WordCounts::value_type*> sorted;
  for (const auto& entry : counts) sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, [](const auto* entry) -> const std::string& { return entry->first; });
  for (const auto* entry : sorted) {
    const auto length = static_cast<std::uint32_t>(entry->first.size());
    const auto number = static_cast<std::uint32_t>(words_.size());
    words_.push_back({tokens_.size(), length, length, entry->second});
    for (const char byte : entry->first) tokens_.push_back(byteTokens[static_cast<unsigned char>(byte)]);
    const std::span<const Token> tokens = tokensOf(words_.back());
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      Pair& pair = pairs_[keyOf(tokens[i], tokens[i + 1])];
      pair.count += entry->second;
      if (pair.words.empty() || pair.words.back() != number) pair.words.push_back(number);
    }
  }
  for (const auto& [key, pair] : pairs_) candidates_.push({pair.count, key});
}

std::optional<std::uint32_t> PairTable::popMostFrequent() {
  while (!candidates_.empty()) {
    const Candidate best = candidates_.top();
    candidates_.pop();
    const auto pair = pairs_.find(best.key);
    if (pair == pairs_.end()) continue;
    if (pair->second.count == best.count && best.count >= kMinCount) return best.key;
    // Merges of other pairs have taken some of its places.
    if (pair->second.count < best.count && pair->second.count >= kMinCount)
      candidates_.push({pair->second.count, best.key});
  }
  return std::nullopt;
}

void PairTable::merge(std::uint32_t pair, Token made) {
  std::vector<std::uint32_t> words = std::move(pairs_[pair].words);
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<std::uint32_t> grown;
  for (const std::uint32_t word : words) mergeInWord(word, pair, made, grown);
  pairs_.erase(pair);
  std::ranges::sort(grown);
  grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
  for (const std::uint32_t key : grown)
    if (const auto found = pairs_.find(key); found != pairs_.end())
      candidates_.push({found->second.count, key});
}

void PairTable::mergeInWord(std::uint32_t number, std::uint32_t pair, Token made,
                            std::vector<std::uint32_t>& grown) {
  Word& word = words_[number];
  const std::span<Token> before = tokensOf(word);
  for (std::size_t i = 0; i + 1 < before.size(); ++i)
    pairs_[keyOf(before[i], before[i + 1])].count -= word.count;
  std::size_t to = 0;
  for (std::size_t i = 0; i < before.size(); ++to) {
    const bool meets = i + 1 < before.size() && keyOf(before[i], before[i + 1]) == pair;
    before[to] = meets ? made : before[i];
    i += meets ? 2 : 1;
  }
  word.length = static_cast<std::uint32_t>(to);
  const std::span<const Token> after = tokensOf(word);
  for (std::size_t i = 0; i + 1 < after.size(); ++i) {
    const std::uint32_t key = keyOf(after[i], after[i + 1]);
    Pair& here = pairs_[key];
    here.count += word.count;
    if (after[i] != made && after[i + 1] != made) continue;
    if (here.words.empty() || here.words.back() != number) here.words.push_back(number);
    grown.push_back(key);
  }
}

double PairTable::bytesPerToken() const {
  double bytes = 0, tokens = 0;
  for (const Word& word : words_) {
    bytes += static_cast<double>(word.count) * word.bytes;
    tokens += static_cast<double>(word.count) * word.length;
  }
  return tokens > 0 ? bytes / tokens : 0;
}

}  // namespace

LearnedBpe learnBpe(const WordCounts& counts, std::size_t size,
                    const std::function<void(std::size_t)>& learned) {
  LearnedBpe bpe;
  std::array<Token, 256> byteTokens{};
  std::unordered_map<std::string, Token> tokens;
  const auto add = [&](std::string piece) {
    const auto token = static_cast<Token>(bpe.pieces.size());
    tokens.emplace(piece, token);
    bpe.pieces.push_back(std::move(piece));
    return token;
  };
  for (const std::uint8_t byte : bytesInTokenOrder())
    byteTokens[byte] = add(std::string(1, static_cast<char>(byte)));
  PairTable table(counts, byteTokens);
  while (bpe.pieces.size() + 1 < size) {
    const auto pair = table.popMostFrequent();
    if (!pair) break;
    const auto left = static_cast<Token>(*pair >> 16U), right = static_cast<Token>(*pair);
    std::string piece = bpe.pieces[left] + bpe.pieces[right];
    const auto known = tokens.find(piece);  // another pair may have made it before
    table.merge(*pair, known != tokens.end() ? known->second : add(std::move(piece)));
    bpe.merges.emplace_back(left, right);
    if (bpe.merges.size() % kMergesPerNotice == 0) learned(bpe.pieces.size());
  }
  add(std::string(kEndOfText));
  bpe.bytesPerToken = table.bytesPerToken();
  return bpe;
}

std::string vocabJsonOf(const LearnedBpe& learned) {
  std::string text;
  for (std::size_t token = 0; token < learned.pieces.size(); ++token) {
    text += token == 0 ? '{' : ',';
    text += nlohmann::json(lettersOf(learned.pieces[token])).dump() + ": " + std::to_string(token);
  }
  return text + "}\n";
}

std::string mergesTextOf(const LearnedBpe& learned) {
  std::string text = "#version: 0.2\n";
  for (const auto& [left, right] : learned.merges)
    text += lettersOf(learned.pieces[left]) + ' ' + lettersOf(learned.pieces[right]) + '\n';
  return text;
}

}  // namespace lockstep::trainer
