// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/tokens/bpe_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace lockstep::trainer {
namespace {

constexpr std::size_t kMaxKnown = 1 << 17;     // some 15 MB
constexpr std::size_t kLongestKnownWord = 48;  // longer ones seldom come again

}  // namespace

BpeEncoder::BpeEncoder(const BpeVocabulary& vocabulary, TextSplitter splitter)
    : vocabulary_(vocabulary), splitter_(std::move(splitter)) {}

Result<void> BpeEncoder::append(std::string_view text, std::vector<Token>& tokens) {
  const auto end = vocabulary_.endOfText();
  while (end) {
    const std::size_t at = text.find(kEndOfText);
    if (at == std::string_view::npos) break;
    if (auto done = appendOrdinary(text.substr(0, at), tokens); !done) return done;
    tokens.push_back(*end);
    text.remove_prefix(at + kEndOfText.size());
  }
  return appendOrdinary(text, tokens);
}

Result<void> BpeEncoder::appendOrdinary(std::string_view text, std::vector<Token>& tokens) {
  pieces_.clear();
  if (auto split = splitter_.split(text, pieces_); !split) return split;
  for (const std::string_view word : pieces_)
    if (auto done = appendWord(word, tokens); !done) return done;
  return {};
}

Result<void> BpeEncoder::appendWord(std::string_view word, std::vector<Token>& tokens) {
  if (const auto found = known_.find(word); found != known_.end()) {
    tokens.insert(tokens.end(), found->second.begin(), found->second.end());
    return {};
  }
  if (word.size() > kLongestWord)
    return failure(ErrorCode::DataLoss, "the text is no language that BPE tokens are for",
                   fmt::format("it has a word of {} bytes, and {} are the most", word.size(), kLongestWord),
                   "train on its bytes with --tokens bytes");
  const std::size_t before = tokens.size();
  mergeWord(word, tokens);
  if (word.size() > kLongestKnownWord) return {};
  if (known_.size() >= kMaxKnown) known_.clear();
  known_.emplace(word,
                 std::vector<Token>(tokens.begin() + static_cast<std::ptrdiff_t>(before), tokens.end()));
  return {};
}

void BpeEncoder::mergeWord(std::string_view word, std::vector<Token>& tokens) {
  symbols_.clear();
  wishes_.clear();
  const auto count = static_cast<std::uint32_t>(word.size());
  for (std::uint32_t i = 0; i < count; ++i)
    symbols_.push_back({vocabulary_.tokenOf(static_cast<unsigned char>(word[i])), i == 0 ? kNone : i - 1,
                        i + 1 == count ? kNone : i + 1});
  for (std::uint32_t i = 0; i < count; ++i) wish(i);
  while (!wishes_.empty()) mergeAllOf(static_cast<std::uint32_t>(wishes_.front() >> 32U));
  for (std::uint32_t i = 0; i < count; i = symbols_[i].next) tokens.push_back(symbols_[i].token);
}

// All places of one pair before any pair that this makes, even one of lower rank: encoder.py has it so.
void BpeEncoder::mergeAllOf(std::uint32_t rank) {
  grown_.clear();
  while (!wishes_.empty() && wishes_.front() >> 32U == rank) {
    const auto at = static_cast<std::uint32_t>(popMerge());
    const auto* merge = mergeAt(at);
    if (merge == nullptr || merge->rank != rank) continue;  // one of the two has merged with another
    Symbol& left = symbols_[at];
    Symbol& right = symbols_[left.next];
    left.token = merge->token;
    left.next = right.next;
    right.merged = true;
    if (right.next != kNone) symbols_[right.next].previous = at;
    grown_.push_back(at);
  }
  for (const std::uint32_t at : grown_) {
    if (symbols_[at].previous != kNone) wish(symbols_[at].previous);
    wish(at);
  }
}

const BpeVocabulary::Merge* BpeEncoder::mergeAt(std::uint32_t at) const {
  const Symbol& symbol = symbols_[at];
  if (symbol.merged || symbol.next == kNone) return nullptr;
  return vocabulary_.mergeOf(symbol.token, symbols_[symbol.next].token);
}

void BpeEncoder::wish(std::uint32_t at) {
  const auto* merge = mergeAt(at);
  if (merge == nullptr) return;
  wishes_.push_back(std::uint64_t{merge->rank} << 32U | at);
  std::push_heap(wishes_.begin(), wishes_.end(), std::greater<>());
}

std::uint64_t BpeEncoder::popMerge() {
  std::pop_heap(wishes_.begin(), wishes_.end(), std::greater<>());
  const std::uint64_t wish = wishes_.back();
  wishes_.pop_back();
  return wish;
}

}  // namespace lockstep::trainer
