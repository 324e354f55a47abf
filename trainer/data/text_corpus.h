// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>

#include "trainer/data/data_set.h"
#include "trainer/data/mapped_file.h"

namespace lockstep::trainer {

inline constexpr int kByteVocabulary = 256;
inline constexpr int kGpt2Vocabulary = 50'304;  // GPT-2's 50,257, padded as nanoGPT does

/// A stretch of a text, cut into samples of `length` tokens side by side; the target of each token is the
/// next one. Tokens are the bytes of a text, or the 16-bit numbers of a file that a tokenizer wrote
/// (nanoGPT's train.bin: little-endian, no header). The file is mapped, never read whole.
class TextSamples final : public DataSet {
 public:
  enum class Tokens { Bytes, Shorts };
  /// Of the tokens [first, first + count).
  TextSamples(std::shared_ptr<const MappedFile> file, Tokens tokens, std::size_t first, std::size_t count,
              int length);
  [[nodiscard]] std::size_t size() const override;
  [[nodiscard]] const SampleShape& shape() const override { return shape_; }
  Result<void> gather(std::span<const std::size_t> indices, std::uint64_t seed, Batch& batch) const override;

 private:
  [[nodiscard]] std::int64_t token(std::size_t at) const;
  std::shared_ptr<const MappedFile> file_;
  Tokens tokens_;
  std::size_t first_, count_;
  SampleShape shape_;
};

/// Whether the folder has what openText reads.
[[nodiscard]] bool hasText(const std::filesystem::path& folder);

/// train.bin with val.bin; train.txt with val.txt or test.txt; or one .txt alone, whose last tenth is for
/// testing. `length`: tokens per sample. DataLoss when a file is too short for a single sample.
Result<TrainingData> openText(const std::filesystem::path& folder, int length);

}  // namespace lockstep::trainer
