// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "trainer/data/data_kind.h"
#include "trainer/data/data_set.h"
#include "trainer/data/picture.h"
#include "trainer/data/text_corpus.h"

namespace lockstep::trainer {

struct DataOptions {
  std::filesystem::path folder;
  std::optional<DataKind> kind;            // empty: what lies in the folder
  DataKind usualKind = DataKind::Cifar10;  // where nothing lies there
  int draw = 0;                            // training samples to draw when the folder has none
  std::uint64_t seed = 1;
  bool augment = false;
  int imageSide = 224;  // Images
  std::int64_t maxPixels = kMaxPixels;
  int sequenceLength = 256;  // Text
  TextTokens textTokens = TextTokens::Auto;
  std::filesystem::path tokenCache;  // for the tokens of a text whose folder cannot be written; empty: none
  std::size_t threads = 1;           // that encode a text
};

/// Opens what lies in the folder, and draws it first where that is asked for. `tell` gets lines for people.
/// Blocks on disk. NotFound says what was looked for.
Result<TrainingData> openTrainingData(const DataOptions& options,
                                      const std::function<void(const std::string&)>& tell);

}  // namespace lockstep::trainer
