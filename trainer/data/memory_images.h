// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "trainer/data/data_set.h"

namespace lockstep::trainer {

/// Images of one size, as bytes. Pixels lie channel-last (row, column, colour).
struct ImageSet {
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;
  [[nodiscard]] std::size_t size() const { return labels.size(); }
};

/// How bytes become numbers: ToTensor and Normalize(mean, deviation) of torchvision, all channels alike.
struct Normalization {
  float mean = 0.5F, deviation = 0.5F;
};

/// An ImageSet as a data set. Augmented: moved by up to four pixels in each direction over a black border and
/// mirrored half of the times, as RandomCrop(side, padding=4) and RandomHorizontalFlip do.
class MemoryImages final : public DataSet {
 public:
  MemoryImages(ImageSet images, const SampleShape& shape, Normalization normalization, bool augment);
  [[nodiscard]] std::size_t size() const override { return images_.size(); }
  [[nodiscard]] const SampleShape& shape() const override { return shape_; }
  Result<void> gather(std::span<const std::size_t> indices, std::uint64_t seed, Batch& batch) const override;

 private:
  void copyMoved(const std::uint8_t* from, std::uint64_t draw, float* to) const;

  ImageSet images_;
  SampleShape shape_;
  float scale_, shift_;
  bool augment_;
};

/// The random bits that belong to one sample in one epoch.
[[nodiscard]] std::uint64_t drawFor(std::uint64_t seed, std::uint64_t index);

}  // namespace lockstep::trainer
