// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/tokens/vocabulary_files.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/digest.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestFile = 16 << 20;  // GPT-2's have 1 MB
constexpr const char* kVocab = "vocab.json";
constexpr const char* kMerges = "merges.txt";

// BpeVocabulary calls the texts by Hugging Face's names; here they are files.
std::string placeIn(const VocabularyFiles& files, const std::string& where) {
  if (where.starts_with(kVocab)) return files.vocab.string() + where.substr(std::string(kVocab).size());
  if (where.starts_with(kMerges)) return files.merges.string() + where.substr(std::string(kMerges).size());
  return where;
}

// Whatever is wrong with a file is a matter of the data, not of how the trainer was called.
Result<std::string> textOf(const fs::path& path) {
  auto text = readFile(path, kLargestFile);
  if (text || text.error().code != ErrorCode::InvalidArgument) return text;
  Error error = text.error();
  error.code = ErrorCode::DataLoss;
  error.remedy = "put the file of a tokenizer there";
  return failure(error);
}

}  // namespace

Result<std::optional<VocabularyFiles>> vocabularyFilesIn(const fs::path& folder) {
  const VocabularyFiles pairs[] = {{folder / kVocab, folder / kMerges},
                                   {folder / "encoder.json", folder / "vocab.bpe"}};
  for (const VocabularyFiles& files : pairs) {
    std::error_code ignored;
    const bool hasVocab = fs::is_regular_file(files.vocab, ignored);
    const bool hasMerges = fs::is_regular_file(files.merges, ignored);
    if (hasVocab && hasMerges) return files;
    if (hasVocab != hasMerges)
      return failure(ErrorCode::NotFound, fmt::format("the vocabulary in '{}' is not whole", folder.string()),
                     fmt::format("'{}' is there without '{}'",
                                 (hasVocab ? files.vocab : files.merges).filename().string(),
                                 (hasVocab ? files.merges : files.vocab).filename().string()),
                     "put the other file of the same tokenizer beside it, or train with --tokens bytes");
  }
  return std::nullopt;
}

Result<ReadVocabulary> readVocabulary(const VocabularyFiles& files) {
  const auto vocab = textOf(files.vocab);
  if (!vocab) return failure(vocab.error());
  const auto merges = textOf(files.merges);
  if (!merges) return failure(merges.error());
  auto vocabulary = BpeVocabulary::parse(*vocab, *merges);
  if (!vocabulary) {
    Error error = vocabulary.error();
    error.where = placeIn(files, error.where);
    return failure(error);
  }
  return ReadVocabulary{std::move(*vocabulary), sha256(sha256(*vocab) + sha256(*merges))};
}

Result<void> checkNoVocabulary(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {kVocab, kMerges})
    if (fs::exists(folder / name, ignored))
      return failure(ErrorCode::AlreadyExists, fmt::format("'{}' is there already", (folder / name).string()),
                     {}, "remove it, or write over it with --replace");
  return {};
}

Result<void> writeVocabulary(const fs::path& folder, const LearnedBpe& learned) {
  if (auto wrote = writeFileAtomically(folder / kMerges, mergesTextOf(learned)); !wrote) return wrote;
  return writeFileAtomically(folder / kVocab, vocabJsonOf(learned));
}

}  // namespace lockstep::trainer
