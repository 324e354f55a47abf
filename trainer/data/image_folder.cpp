// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/image_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/atomic_file.h"
#include "trainer/data/memory_images.h"
#include "trainer/data/picture.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr std::array<float, 3> kMean{0.485F, 0.456F, 0.406F};
constexpr std::array<float, 3> kDeviation{0.229F, 0.224F, 0.225F};

// Numbers from 0 to below 1 that belong to one sample.
class SampleDice {
 public:
  SampleDice(std::uint64_t seed, std::uint64_t index) : seed_(drawFor(seed, index)) {}
  double unit() { return static_cast<double>(drawFor(seed_, ++count_) >> 11U) * 0x1.0p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }

 private:
  std::uint64_t seed_, count_ = 0;
};

// torchvision's RandomResizedCrop with its scale and ratio.
Crop randomCrop(const Picture& picture, SampleDice& dice) {
  constexpr int kTries = 10;
  const double area = static_cast<double>(picture.width) * picture.height;
  for (int i = 0; i < kTries; ++i) {
    const double part = area * dice.between(0.08, 1.0);
    const double ratio = std::exp(dice.between(std::log(3.0 / 4), std::log(4.0 / 3)));
    const double width = std::round(std::sqrt(part * ratio));
    const double height = std::round(std::sqrt(part / ratio));
    if (width < 1 || height < 1 || width > picture.width || height > picture.height) continue;
    return {std::floor(dice.between(0, picture.width - width + 1)),
            std::floor(dice.between(0, picture.height - height + 1)), width, height};
  }
  const double side = std::min(picture.width, picture.height);
  return {(picture.width - side) / 2, (picture.height - side) / 2, side, side};
}

// Resize(side * 8 / 7) and CenterCrop(side) in one.
Crop middleCrop(const Picture& picture) {
  const double side = std::min(picture.width, picture.height) * 7.0 / 8;
  return {(picture.width - side) / 2, (picture.height - side) / 2, side, side};
}

void normalize(const Picture& picture, bool mirrored, float* to) {
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const int column = mirrored ? picture.width - 1 - x : x;
      const std::uint8_t* pixel = picture.pixels.data() + (y * picture.width + column) * 3;
      for (std::size_t color = 0; color < 3; ++color)
        *to++ = (static_cast<float>(pixel[color]) / 255.0F - kMean[color]) / kDeviation[color];
    }
  }
}

std::vector<fs::path> sortedBelow(const fs::path& folder, bool directories) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored) == directories) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

fs::path testFolder(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"val", "test"}) {
    if (fs::is_directory(folder / name, ignored)) return folder / name;
  }
  return folder / "val";
}

std::vector<std::string> classesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::path& path : sortedBelow(folder, true)) names.push_back(path.filename().string());
  return names;
}

Result<std::vector<ImageFolder::Entry>> entriesIn(const fs::path& folder,
                                                  const std::vector<std::string>& classes) {
  std::vector<ImageFolder::Entry> entries;
  for (const std::string& name : classesIn(folder)) {
    const auto place = std::ranges::find(classes, name);
    if (place == classes.end())
      return failure(ErrorCode::InvalidArgument,
                     fmt::format("'{}' has the class '{}'", folder.string(), name),
                     "there is no such class to train on", "use the same folders for training and testing");
    for (const fs::path& path : sortedBelow(folder / name, false)) {
      if (isPictureName(path)) entries.push_back({path, static_cast<int>(place - classes.begin())});
    }
  }
  if (!entries.empty()) return entries;
  return failure(ErrorCode::NotFound, fmt::format("no pictures in '{}'", folder.string()),
                 "there is no folder with .jpg, .jpeg or .png files");
}

}  // namespace

ImageFolder::ImageFolder(std::vector<Entry> entries, int classes, int side, bool augment,
                         std::int64_t maxPixels)
    : entries_(std::move(entries)),
      shape_{SampleShape::Kind::Image, 3, side, side, 0, classes},
      augment_(augment),
      maxPixels_(maxPixels) {}

Result<void> ImageFolder::gather(std::span<const std::size_t> indices, std::uint64_t seed,
                                 Batch& batch) const {
  batch.resize(shape_, indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Entry& entry = entries_[indices[i]];
    const auto bytes = readFile(entry.path);
    if (!bytes) return failure(bytes.error());
    const auto picture = decodePicture(*bytes, entry.path.string(), maxPixels_);
    if (!picture) return failure(picture.error());
    SampleDice dice(seed, indices[i]);
    const Crop crop = augment_ ? randomCrop(*picture, dice) : middleCrop(*picture);
    const bool mirrored = augment_ && dice.unit() < 0.5;
    normalize(resized(*picture, crop, shape_.width, shape_.height), mirrored,
              batch.pixels.data() + i * shape_.inputsPerSample());
    batch.targets[i] = entry.label;
  }
  return {};
}

bool hasImageFolders(const fs::path& folder) {
  return !classesIn(folder / "train").empty() && !classesIn(testFolder(folder)).empty();
}

Result<TrainingData> openImageFolders(const fs::path& folder, int side, bool augment,
                                      std::int64_t maxPixels) {
  TrainingData data;
  data.classNames = classesIn(folder / "train");
  auto train = entriesIn(folder / "train", data.classNames);
  if (!train) return failure(train.error());
  auto test = entriesIn(testFolder(folder), data.classNames);
  if (!test) return failure(test.error());
  const int classes = static_cast<int>(data.classNames.size());
  data.train = std::make_unique<ImageFolder>(std::move(*train), classes, side, augment, maxPixels);
  data.test = std::make_unique<ImageFolder>(std::move(*test), classes, side, false, maxPixels);
  return data;
}

}  // namespace lockstep::trainer
