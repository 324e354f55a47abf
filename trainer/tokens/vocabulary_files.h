// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "trainer/tokens/bpe_learner.h"
#include "trainer/tokens/bpe_vocabulary.h"

namespace lockstep::trainer {

struct VocabularyFiles {
  std::filesystem::path vocab, merges;
};

/// vocab.json with merges.txt (Hugging Face's names), else encoder.json with vocab.bpe (OpenAI's); nullopt:
/// neither is there. NotFound: one file of a pair without the other.
Result<std::optional<VocabularyFiles>> vocabularyFilesIn(const std::filesystem::path& folder);

struct ReadVocabulary {
  BpeVocabulary vocabulary;
  std::string digest;  // SHA-256 over both files, 32 raw bytes
};

/// Blocks on disk. Failures are those of BpeVocabulary::parse, with `where` naming the file; files of more
/// than 16 MiB are DataLoss too.
Result<ReadVocabulary> readVocabulary(const VocabularyFiles& files);

/// AlreadyExists: the folder has a vocab.json or merges.txt.
Result<void> checkNoVocabulary(const std::filesystem::path& folder);
/// Writes vocab.json and merges.txt, over those that are there.
Result<void> writeVocabulary(const std::filesystem::path& folder, const LearnedBpe& learned);

}  // namespace lockstep::trainer
