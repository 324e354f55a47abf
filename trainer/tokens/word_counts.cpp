// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/tokens/word_counts.h"

#include <vector>

#include "trainer/tokens/bpe_vocabulary.h"
#include "trainer/tokens/text_chunks.h"
#include "trainer/tokens/text_splitter.h"

namespace lockstep::trainer {
namespace {

constexpr std::size_t kLongestCounted = 256;

Result<void> splitDocuments(std::string_view text, TextSplitter& splitter,
                            std::vector<std::string_view>& pieces) {
  while (true) {
    const std::size_t end = text.find(kEndOfText);
    if (auto split = splitter.split(text.substr(0, end), pieces); !split) return split;
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + kEndOfText.size());
  }
}

Result<WordCounts> countIn(std::string_view text) {
  auto splitter = TextSplitter::make();
  if (!splitter) return failure(splitter.error());
  std::vector<std::string_view> pieces;
  if (auto split = splitDocuments(text, *splitter, pieces); !split) return failure(split.error());
  std::unordered_map<std::string_view, std::uint64_t> views;
  for (const std::string_view word : pieces)
    if (word.size() <= kLongestCounted) ++views[word];
  WordCounts counts;
  counts.reserve(views.size());
  for (const auto& [word, count] : views) counts.emplace(word, count);
  return counts;
}

// Down to half, so that it is seldom needed.
void dropRarest(WordCounts& counts, std::size_t maxWords) {
  for (std::uint64_t floor = 1; counts.size() > maxWords / 2; floor *= 2)
    std::erase_if(counts, [floor](const auto& entry) { return entry.second <= floor; });
}

}  // namespace

Result<WordCounts> countWords(std::string_view text, std::size_t workers,
                              const std::function<void(std::size_t)>& done, std::size_t maxWords) {
  WordCounts all;
  const auto add = [&](const WordCounts& part, std::size_t bytesDone) -> Result<void> {
    for (const auto& [word, count] : part) all[word] += count;
    if (all.size() > maxWords) dropRarest(all, maxWords);
    done(bytesDone);
    return {};
  };
  const auto counted = inChunks<WordCounts>(
      text, workers, [](std::size_t, std::string_view chunk) { return countIn(chunk); }, add);
  if (!counted) return failure(counted.error());
  return all;
}

}  // namespace lockstep::trainer
