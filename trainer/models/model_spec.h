// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "trainer/data/batch.h"

namespace lockstep::trainer {

/// Which network, for which samples.
struct ModelSpec {
  std::string name = "cifar";
  SampleShape shape;
  std::optional<double> dropout;  // what the network has of its own when not given
};

/// "cifar", "mnist", "resnet18", "resnet50", "gpt-tiny", "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl".
[[nodiscard]] std::vector<std::string> modelNames();
/// What the network takes when no data set says it, as in a benchmark: 32 x 32 colour images, 28 x 28 grey
/// ones, 256 bytes of text.
[[nodiscard]] SampleShape usualShape(const std::string& modelName);
/// Sizes of the GPTs by name; nullopt for what is no GPT.
struct GptSize {
  int layers = 0, heads = 0, width = 0, context = 0;
};
[[nodiscard]] std::optional<GptSize> gptSize(const std::string& modelName);
/// InvalidArgument when the network cannot take such samples.
[[nodiscard]] Result<void> checkModel(const ModelSpec& spec);

}  // namespace lockstep::trainer
