// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "trainer/data/data_set.h"
#include "trainer/data/picture.h"

namespace lockstep::trainer {

/// Pictures in folders, one folder per class, as torchvision's ImageFolder reads them: classes are numbered
/// in the order of their names. Each picture is read and decoded when it is asked for. For training:
/// RandomResizedCrop and RandomHorizontalFlip; else: the shorter side to 8/7 of `side`, and the middle of it.
/// Then ImageNet's mean and deviation.
class ImageFolder final : public DataSet {
 public:
  struct Entry {
    std::filesystem::path path;
    int label = 0;
  };
  ImageFolder(std::vector<Entry> entries, int classes, int side, bool augment,
              std::int64_t maxPixels = kMaxPixels);
  [[nodiscard]] std::size_t size() const override { return entries_.size(); }
  [[nodiscard]] const SampleShape& shape() const override { return shape_; }
  Result<void> gather(std::span<const std::size_t> indices, std::uint64_t seed, Batch& batch) const override;
  [[nodiscard]] bool isCheap() const override { return false; }

 private:
  std::vector<Entry> entries_;
  SampleShape shape_;
  bool augment_;
  std::int64_t maxPixels_;
};

/// Whether the folder has train/ and val/ or test/ with folders in them.
[[nodiscard]] bool hasImageFolders(const std::filesystem::path& folder);

/// train/<class>/… and val/<class>/… or test/<class>/…, with the same classes. NotFound and InvalidArgument
/// name what is missing.
Result<TrainingData> openImageFolders(const std::filesystem::path& folder, int side, bool augment,
                                      std::int64_t maxPixels = kMaxPixels);

}  // namespace lockstep::trainer
