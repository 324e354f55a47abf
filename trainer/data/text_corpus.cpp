// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/text_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> kTokenNames{"auto", "bytes", "bpe"};
constexpr int kVocabularyUnit = 64;

struct TextFiles {
  fs::path train, test;  // test empty: the end of train
  bool areTokens = false;
};

bool hasFile(const fs::path& folder, const char* name) {
  std::error_code ignored;
  return fs::is_regular_file(folder / name, ignored);
}

// A vocabulary's merges are no text to learn.
bool isText(const fs::directory_entry& entry) {
  std::error_code ignored;
  const fs::path& path = entry.path();
  return entry.is_regular_file(ignored) && path.extension() == ".txt" &&
         !(path.filename() == "merges.txt" && hasFile(path.parent_path(), "vocab.json"));
}

std::optional<TextFiles> textsIn(const fs::path& folder) {
  for (const char* test : {"val.txt", "test.txt"}) {
    if (hasFile(folder, "train.txt") && hasFile(folder, test))
      return TextFiles{folder / "train.txt", folder / test};
  }
  std::error_code ignored;
  std::vector<fs::path> texts;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (isText(entry)) texts.push_back(entry.path());
  }
  if (texts.size() != 1) return std::nullopt;
  return TextFiles{texts.front(), {}};
}

std::optional<TextFiles> filesIn(const fs::path& folder, TextTokens wanted) {
  if (wanted != TextTokens::Bytes && hasFile(folder, "train.bin") && hasFile(folder, "val.bin"))
    return TextFiles{folder / "train.bin", folder / "val.bin", true};
  return textsIn(folder);
}

tl::unexpected<Error> noText(const fs::path& folder, const char* cause) {
  return failure(ErrorCode::NotFound, fmt::format("no text in '{}'", folder.string()), cause);
}

int paddedSize(const BpeVocabulary& vocabulary) {
  const auto size = static_cast<int>(vocabulary.size());
  return (size + kVocabularyUnit - 1) / kVocabularyUnit * kVocabularyUnit;
}

// nullopt: the text's bytes, or GPT-2's tokens, are taken as they are.
Result<std::optional<ReadVocabulary>> vocabularyFor(const fs::path& folder, const TextFiles& files,
                                                    TextTokens wanted) {
  if (wanted == TextTokens::Bytes) return std::nullopt;
  const auto found = vocabularyFilesIn(folder);
  if (files.areTokens && !(found && *found)) return std::nullopt;
  if (!found) return failure(found.error());
  if (*found) {
    auto read = readVocabulary(**found);
    if (!read) return failure(read.error());
    return std::move(*read);
  }
  if (wanted == TextTokens::Auto) return std::nullopt;
  return failure(
      ErrorCode::NotFound, fmt::format("no vocabulary in '{}'", folder.string()),
      "neither vocab.json and merges.txt nor encoder.json and vocab.bpe are there",
      fmt::format("copy them there, or learn one from the text: lockstep-trainer make-tokenizer '{}'",
                  folder.string()));
}

Result<TokenFile> tokensOf(const fs::path& path, const TextFiles& files,
                           const std::optional<ReadVocabulary>& vocabulary, const EncodingOptions& encoding) {
  TokenFile tokens;
  tokens.isWide = files.areTokens || vocabulary;
  if (tokens.isWide) tokens.vocabulary = vocabulary ? paddedSize(vocabulary->vocabulary) : kGpt2Vocabulary;
  fs::path source = path;
  if (vocabulary && !files.areTokens) {
    auto encoded = encodedText(path, *vocabulary, encoding);
    if (!encoded) return failure(encoded.error());
    source = std::move(*encoded);
  }
  auto file = MappedFile::open(source);
  if (!file) return failure(file.error());
  tokens.bytes = std::make_shared<const MappedFile>(std::move(*file));
  return tokens;
}

Result<std::unique_ptr<DataSet>> samplesOf(const fs::path& path, const TokenFile& tokens, std::size_t first,
                                           std::size_t count, int length) {
  auto samples = std::make_unique<TextSamples>(tokens, first, count, length);
  if (samples->size() > 0) return samples;
  return failure(
      ErrorCode::DataLoss, fmt::format("'{}' is too short to train on", path.string()),
      fmt::format("{} tokens are not enough for one sample of {} and the token after it", count, length),
      "use a longer text or a smaller --sequence-length");
}

}  // namespace

std::optional<TextTokens> textTokensFrom(const std::string& name) {
  const auto found = std::ranges::find(kTokenNames, name);
  if (found == kTokenNames.end()) return std::nullopt;
  return static_cast<TextTokens>(found - kTokenNames.begin());
}

std::vector<std::string> textTokenNames() {
  return {kTokenNames.begin(), kTokenNames.end()};
}

std::int64_t TokenFile::at(std::size_t index) const {
  const std::span<const std::byte> all = bytes->bytes();
  if (!isWide) return std::to_integer<std::int64_t>(all[index]);
  return std::to_integer<std::int64_t>(all[2 * index]) | std::to_integer<std::int64_t>(all[2 * index + 1])
                                                             << 8;
}

TextSamples::TextSamples(TokenFile tokens, std::size_t first, std::size_t count, int length)
    : tokens_(std::move(tokens)), first_(first), count_(count) {
  shape_.kind = SampleShape::Kind::Tokens;
  shape_.length = length;
  shape_.classes = tokens_.vocabulary;
}

std::size_t TextSamples::size() const {
  return count_ == 0 ? 0 : (count_ - 1) / static_cast<std::size_t>(shape_.length);
}

Result<void> TextSamples::gather(std::span<const std::size_t> indices, std::uint64_t, Batch& batch) const {
  batch.resize(shape_, indices.size());
  const auto length = static_cast<std::size_t>(shape_.length);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t from = first_ + indices[i] * length;
    for (std::size_t j = 0; j < length; ++j) batch.tokens[i * length + j] = tokens_.at(from + j);
    for (std::size_t j = 0; j < length; ++j) batch.targets[i * length + j] = tokens_.at(from + j + 1);
  }
  // A first token that is too large would be one of no target, and no row of the network's table either.
  for (const auto* numbers : {&batch.tokens, &batch.targets}) {
    const auto tooLarge = std::ranges::find_if(*numbers, [&](auto token) { return token >= shape_.classes; });
    if (tooLarge == numbers->end()) continue;
    return failure(
        ErrorCode::DataLoss, "the text has a token that its vocabulary does not have",
        fmt::format("{} is above {}", *tooLarge, shape_.classes - 1),
        "tokenize it with GPT-2's vocabulary, or put vocab.json and merges.txt of its own beside it");
  }
  return {};
}

bool hasText(const fs::path& folder) {
  return filesIn(folder, TextTokens::Auto).has_value();
}

Result<TrainingText> trainingTextIn(const fs::path& folder) {
  const auto files = textsIn(folder);
  if (!files) return noText(folder, "neither train.txt and val.txt nor one .txt alone is there");
  return TrainingText{files->train, files->test.empty()};
}

Result<TrainingData> openText(const fs::path& folder, const TextOptions& options) {
  const auto files = filesIn(folder, options.tokens);
  if (!files)
    return noText(folder,
                  "neither train.bin and val.bin, nor train.txt and val.txt, nor one .txt alone is there");
  const auto vocabulary = vocabularyFor(folder, *files, options.tokens);
  if (!vocabulary) return failure(vocabulary.error());
  const auto train = tokensOf(files->train, *files, *vocabulary, options.encoding);
  if (!train) return failure(train.error());
  const std::size_t all = train->count();
  const std::size_t cut = files->test.empty() ? all - all / 10 : all;
  auto trainSamples = samplesOf(files->train, *train, 0, cut, options.length);
  if (!trainSamples) return failure(trainSamples.error());
  const fs::path& testPath = files->test.empty() ? files->train : files->test;
  const auto test = files->test.empty() ? train : tokensOf(testPath, *files, *vocabulary, options.encoding);
  if (!test) return failure(test.error());
  const std::size_t first = files->test.empty() ? cut : 0;
  auto testSamples = samplesOf(testPath, *test, first, test->count() - first, options.length);
  if (!testSamples) return failure(testSamples.error());
  TrainingData data;
  data.train = std::move(*trainSamples);
  data.test = std::move(*testSamples);
  return data;
}

}  // namespace lockstep::trainer
