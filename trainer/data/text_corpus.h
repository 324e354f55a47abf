// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trainer/data/data_set.h"
#include "trainer/data/encoded_text.h"
#include "trainer/data/mapped_file.h"

namespace lockstep::trainer {

inline constexpr int kByteVocabulary = 256;
inline constexpr int kGpt2Vocabulary = 50'304;  // GPT-2's 50,257, padded as nanoGPT does

/// What the tokens of a text are. Auto: train.bin where there is one; else BPE tokens where the folder has a
/// vocabulary; else bytes.
enum class TextTokens { Auto, Bytes, Bpe };
/// "auto", "bytes", "bpe"; nullopt for anything else.
[[nodiscard]] std::optional<TextTokens> textTokensFrom(const std::string& name);
[[nodiscard]] std::vector<std::string> textTokenNames();

/// Where the tokens of a text lie: one byte each, or 16 bits (nanoGPT's train.bin: little-endian, no header).
struct TokenFile {
  std::shared_ptr<const MappedFile> bytes;
  bool isWide = false;
  int vocabulary = kByteVocabulary;  // tokens are below it

  [[nodiscard]] std::size_t count() const { return bytes->bytes().size() / (isWide ? 2 : 1); }
  [[nodiscard]] std::int64_t at(std::size_t index) const;
};

/// A stretch of a text, cut into samples of `length` tokens side by side; the target of each token is the
/// next one. The file is mapped, never read whole.
class TextSamples final : public DataSet {
 public:
  /// Of the tokens [first, first + count).
  TextSamples(TokenFile tokens, std::size_t first, std::size_t count, int length);
  [[nodiscard]] std::size_t size() const override;
  [[nodiscard]] const SampleShape& shape() const override { return shape_; }
  Result<void> gather(std::span<const std::size_t> indices, std::uint64_t seed, Batch& batch) const override;

 private:
  TokenFile tokens_;
  std::size_t first_, count_;
  SampleShape shape_;
};

struct TextOptions {
  int length = 256;  // tokens per sample
  TextTokens tokens = TextTokens::Auto;
  EncodingOptions encoding = {};
};

/// Whether the folder has what openText reads.
[[nodiscard]] bool hasText(const std::filesystem::path& folder);

/// train.bin with val.bin; train.txt with val.txt or test.txt; or one .txt alone, whose last tenth is for
/// testing. With BPE tokens, texts are encoded by the folder's vocabulary first (encodedText); its size,
/// rounded up to a multiple of 64 as nanoGPT does for the sake of GPUs, is that of the samples. DataLoss when
/// a file is too short for a single sample; NotFound when there is no text, or no vocabulary for
/// TextTokens::Bpe.
Result<TrainingData> openText(const std::filesystem::path& folder, const TextOptions& options);

struct TrainingText {
  std::filesystem::path file;
  bool endsInTests = false;  // its last tenth is for testing
};
/// The .txt that openText trains on. NotFound: none.
Result<TrainingText> trainingTextIn(const std::filesystem::path& folder);

}  // namespace lockstep::trainer
