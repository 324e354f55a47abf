// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "fuzz_targets.h"
#include "trainer/tokens/bpe_encoder.h"
#include "trainer/tokens/bpe_learner.h"
#include "trainer/tokens/byte_letters.h"

namespace lockstep {
namespace {

using namespace trainer;

constexpr std::size_t kMaxMerges = 2000;

// So that the fuzzer need not find 256 bytes in JSON before anything happens: all bytes, and what the merges
// make.
std::string vocabularyOf(std::string_view merges) {
  LearnedBpe bpe;
  std::map<std::string, bool> seen;
  const auto add = [&](const std::optional<std::string>& piece) {
    if (piece && !piece->empty() && bpe.pieces.size() < kMaxMerges && seen.emplace(*piece, true).second)
      bpe.pieces.push_back(*piece);
  };
  for (const std::uint8_t byte : bytesInTokenOrder()) add(std::string(1, static_cast<char>(byte)));
  while (!merges.empty()) {
    const std::string_view line = merges.substr(0, merges.find('\n'));
    merges.remove_prefix(std::min(line.size() + 1, merges.size()));
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    add(bytesOfLetters(std::string(line.substr(0, blank)) + std::string(line.substr(blank + 1))));
  }
  return vocabJsonOf(bpe);
}

std::string_view popPart(std::string_view& input) {
  const std::string_view part = input.substr(0, input.find('\0'));
  input.remove_prefix(std::min(part.size() + 1, input.size()));
  return part;
}

std::string checkText(const BpeVocabulary& vocabulary, std::string_view text) {
  auto splitter = TextSplitter::make();
  if (!splitter) return describe(splitter.error());
  BpeEncoder encoder(vocabulary, std::move(*splitter));
  std::vector<Token> first, again;
  if (const auto done = encoder.append(text, first); !done) return describe(done.error());
  std::string decoded;
  for (const Token token : first) {
    if (vocabulary.bytesOf(token).empty()) return "a token that stands for nothing";
    decoded += vocabulary.bytesOf(token);
  }
  if (decoded != text) return "the tokens are another text";
  if (!encoder.append(text, again) || again != first) return "other tokens the second time";
  return {};
}

// Words are the same however a text was cut into chunks.
std::string checkCut(std::string_view text) {
  auto splitter = TextSplitter::make();
  if (!splitter) return describe(splitter.error());
  const auto cut = splitter->placeToCut(text, text.size() / 2);
  if (!cut) return describe(cut.error());
  if (*cut < text.size() / 2 || *cut > text.size()) return "a cut beside the text";
  std::vector<std::string_view> whole, parts;
  if (!splitter->split(text, whole) || !splitter->split(text.substr(0, *cut), parts) ||
      !splitter->split(text.substr(*cut), parts))
    return "a text that cannot be split";
  return whole == parts ? "" : "a cut text has other words";
}

}  // namespace

std::string tryTokenizer(std::string_view input) {
  const std::string_view vocab = popPart(input), merges = popPart(input);
  const auto vocabulary =
      BpeVocabulary::parse(vocab.empty() ? vocabularyOf(merges) : std::string(vocab), merges);
  if (!vocabulary) {
    const Error& refused = vocabulary.error();
    return refused.cause.empty() || refused.where.empty() ? "a vocabulary refused without a word" : "";
  }
  if (std::string wrong = checkText(*vocabulary, input); !wrong.empty()) return wrong;
  return checkCut(input);
}

}  // namespace lockstep
