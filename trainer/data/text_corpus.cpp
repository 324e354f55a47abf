// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/text_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;
using Tokens = TextSamples::Tokens;

struct TextFiles {
  fs::path train, test;  // test empty: the end of train
  Tokens tokens = Tokens::Bytes;
};

std::optional<TextFiles> filesIn(const fs::path& folder) {
  std::error_code ignored;
  const auto isFile = [&](const char* name) { return fs::is_regular_file(folder / name, ignored); };
  if (isFile("train.bin") && isFile("val.bin"))
    return TextFiles{folder / "train.bin", folder / "val.bin", Tokens::Shorts};
  for (const char* test : {"val.txt", "test.txt"}) {
    if (isFile("train.txt") && isFile(test))
      return TextFiles{folder / "train.txt", folder / test, Tokens::Bytes};
  }
  std::vector<fs::path> texts;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_regular_file(ignored) && entry.path().extension() == ".txt") texts.push_back(entry.path());
  }
  if (texts.size() != 1) return std::nullopt;
  return TextFiles{texts.front(), {}, Tokens::Bytes};
}

std::size_t tokensIn(const MappedFile& file, Tokens tokens) {
  return file.bytes().size() / (tokens == Tokens::Shorts ? 2 : 1);
}

Result<std::unique_ptr<DataSet>> samplesOf(const fs::path& path,
                                           const std::shared_ptr<const MappedFile>& file, Tokens tokens,
                                           std::size_t first, std::size_t count, int length) {
  auto samples = std::make_unique<TextSamples>(file, tokens, first, count, length);
  if (samples->size() > 0) return samples;
  return failure(
      StatusCode::DataLoss, fmt::format("'{}' is too short to train on", path.string()),
      fmt::format("{} tokens are not enough for one sample of {} and the token after it", count, length),
      "use a longer text or a smaller --sequence-length");
}

Result<std::shared_ptr<const MappedFile>> mapped(const fs::path& path) {
  auto file = MappedFile::open(path);
  if (!file) return failure(file.error());
  return std::make_shared<const MappedFile>(std::move(*file));
}

}  // namespace

TextSamples::TextSamples(std::shared_ptr<const MappedFile> file, Tokens tokens, std::size_t first,
                         std::size_t count, int length)
    : file_(std::move(file)), tokens_(tokens), first_(first), count_(count) {
  shape_.kind = SampleShape::Kind::Tokens;
  shape_.length = length;
  shape_.classes = tokens == Tokens::Shorts ? kGpt2Vocabulary : kByteVocabulary;
}

std::size_t TextSamples::size() const {
  return count_ == 0 ? 0 : (count_ - 1) / static_cast<std::size_t>(shape_.length);
}

std::int64_t TextSamples::token(std::size_t at) const {
  const std::span<const std::byte> bytes = file_->bytes();
  if (tokens_ == Tokens::Bytes) return std::to_integer<std::int64_t>(bytes[at]);
  return std::to_integer<std::int64_t>(bytes[2 * at]) | std::to_integer<std::int64_t>(bytes[2 * at + 1]) << 8;
}

Result<void> TextSamples::gather(std::span<const std::size_t> indices, std::uint64_t, Batch& batch) const {
  batch.resize(shape_, indices.size());
  const auto length = static_cast<std::size_t>(shape_.length);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t from = first_ + indices[i] * length;
    for (std::size_t j = 0; j < length; ++j) batch.tokens[i * length + j] = token(from + j);
    for (std::size_t j = 0; j < length; ++j) batch.targets[i * length + j] = token(from + j + 1);
  }
  const auto tooLarge =
      std::ranges::find_if(batch.targets, [&](auto token) { return token >= shape_.classes; });
  if (tooLarge == batch.targets.end()) return {};
  return failure(StatusCode::DataLoss, "the text has a token that GPT-2 does not know",
                 fmt::format("{} is above {}", *tooLarge, shape_.classes - 1),
                 "tokenize it with GPT-2's vocabulary");
}

bool hasText(const fs::path& folder) {
  return filesIn(folder).has_value();
}

Result<TrainingData> openText(const fs::path& folder, int length) {
  const auto files = filesIn(folder);
  if (!files)
    return failure(StatusCode::NotFound, fmt::format("no text in '{}'", folder.string()),
                   "neither train.bin and val.bin, nor train.txt and val.txt, nor one .txt alone is there");
  const auto train = mapped(files->train);
  if (!train) return failure(train.error());
  const std::size_t all = tokensIn(**train, files->tokens);
  const std::size_t cut = files->test.empty() ? all - all / 10 : all;
  auto trainSamples = samplesOf(files->train, *train, files->tokens, 0, cut, length);
  if (!trainSamples) return failure(trainSamples.error());
  const auto test = files->test.empty() ? train : mapped(files->test);
  if (!test) return failure(test.error());
  const fs::path& testPath = files->test.empty() ? files->train : files->test;
  const std::size_t first = files->test.empty() ? cut : 0;
  auto testSamples =
      samplesOf(testPath, *test, files->tokens, first, tokensIn(**test, files->tokens) - first, length);
  if (!testSamples) return failure(testSamples.error());
  TrainingData data;
  data.train = std::move(*trainSamples);
  data.test = std::move(*testSamples);
  return data;
}

}  // namespace lockstep::trainer
