// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/open_training_data.h"

#include <fmt/format.h>

#include "trainer/data/cifar10.h"
#include "trainer/data/drawn_data.h"
#include "trainer/data/image_folder.h"
#include "trainer/data/mnist.h"

namespace lockstep::trainer {
namespace {

std::unique_ptr<DataSet> inMemory(ImageSet images, const SampleShape& shape, Normalization normalization,
                                  bool augment) {
  return std::make_unique<MemoryImages>(std::move(images), shape, normalization, augment);
}

Result<TrainingData> openCifar10(const DataOptions& options) {
  auto read = readCifar10(options.folder);
  if (!read) return failure(read.error());
  const SampleShape shape{SampleShape::Kind::Image, kImageChannels, kImageSide, kImageSide, 0, kClassCount};
  TrainingData data;
  data.train = inMemory(std::move(read->train), shape, {}, options.augment);
  data.test = inMemory(std::move(read->test), shape, {}, false);
  data.classNames = std::move(read->classNames);
  return data;
}

Result<TrainingData> openMnist(const DataOptions& options) {
  constexpr Normalization kOfMnist{0.1307F, 0.3081F};
  auto read = readMnist(options.folder);
  if (!read) return failure(read.error());
  const SampleShape shape{SampleShape::Kind::Image, 1, read->train.height, read->train.width, 0, kClassCount};
  TrainingData data;
  data.train = inMemory(std::move(read->train.images), shape, kOfMnist, options.augment);
  data.test = inMemory(std::move(read->test.images), shape, kOfMnist, false);
  for (int digit = 0; digit < kClassCount; ++digit) data.classNames.push_back(std::to_string(digit));
  return data;
}

}  // namespace

Result<TrainingData> openTrainingData(const DataOptions& options,
                                      const std::function<void(const std::string&)>& tell) {
  const DataKind wanted = options.kind.value_or(options.usualKind);
  if (options.draw > 0) {
    const auto drawn = drawUnlessThere(wanted, options.folder, options.draw, options.seed);
    if (!drawn) return failure(drawn.error());
    if (*drawn)
      tell(fmt::format("Drew {} training and {} test {} into '{}'", options.draw, testShareOf(options.draw),
                       wanted == DataKind::Text ? "lines" : "images", options.folder.string()));
  }
  switch (options.kind ? *options.kind : kindIn(options.folder).value_or(options.usualKind)) {
    case DataKind::Mnist:
      return openMnist(options);
    case DataKind::Text:
      return openText(
          options.folder,
          {options.sequenceLength, options.textTokens, {options.tokenCache, options.threads, tell}});
    case DataKind::Images:
      return openImageFolders(options.folder, options.imageSide, options.augment, options.maxPixels);
    case DataKind::Cifar10:
      break;
  }
  return openCifar10(options);
}

}  // namespace lockstep::trainer
