// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/model_spec.h"

#include <fmt/format.h>

#include <map>

namespace lockstep::trainer {
namespace {

const std::map<std::string, GptSize>& gptSizes() {
  static const std::map<std::string, GptSize> sizes = {{"gpt-tiny", {4, 4, 128, 256}},
                                                       {"gpt2", {12, 12, 768, 1024}},
                                                       {"gpt2-medium", {24, 16, 1024, 1024}},
                                                       {"gpt2-large", {36, 20, 1280, 1024}},
                                                       {"gpt2-xl", {48, 25, 1600, 1024}}};
  return sizes;
}

Result<void> refused(const ModelSpec& spec, const std::string& cause, const std::string& remedy) {
  return failure(ErrorCode::InvalidArgument, fmt::format("--model {} cannot learn this data", spec.name),
                 cause, remedy);
}

Result<void> checkImages(const ModelSpec& spec) {
  const SampleShape& s = spec.shape;
  const std::string is = fmt::format("it has images of {} x {} x {}", s.height, s.width, s.channels);
  if (spec.name == "cifar" && (s.channels != 3 || s.height != 32 || s.width != 32))
    return refused(spec, is + ", and the network takes 32 x 32 x 3", "use --model resnet18");
  if (spec.name == "mnist" && (s.channels != 1 || s.height != 28 || s.width != 28))
    return refused(spec, is + ", and the network takes 28 x 28 x 1", "use --model cifar or --model resnet18");
  if (s.height < 8 || s.width < 8) return refused(spec, is + ", which is too little", "use larger images");
  return {};
}

}  // namespace

std::vector<std::string> modelNames() {
  std::vector<std::string> names{"cifar", "mnist", "resnet18", "resnet50"};
  for (const char* gpt : {"gpt-tiny", "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"})
    names.emplace_back(gpt);
  return names;
}

std::optional<GptSize> gptSize(const std::string& modelName) {
  const auto found = gptSizes().find(modelName);
  return found == gptSizes().end() ? std::nullopt : std::optional(found->second);
}

SampleShape usualShape(const std::string& modelName) {
  if (modelName == "mnist") return {SampleShape::Kind::Image, 1, 28, 28, 0, 10};
  if (gptSize(modelName)) return {SampleShape::Kind::Tokens, 0, 0, 0, 256, 256};
  return {};
}

Result<void> checkModel(const ModelSpec& spec) {
  const auto gpt = gptSize(spec.name);
  if (!gpt && spec.shape.isImage()) return checkImages(spec);
  if (!gpt) return refused(spec, "it is text", "use --model gpt-tiny or gpt2");
  if (spec.shape.isImage()) return refused(spec, "it has images", "use --model resnet18");
  if (spec.shape.length <= gpt->context) return {};
  return failure(ErrorCode::InvalidArgument,
                 fmt::format("--sequence-length {} is too long for --model {}", spec.shape.length, spec.name),
                 fmt::format("it sees {} tokens at once", gpt->context), {});
}

}  // namespace lockstep::trainer
