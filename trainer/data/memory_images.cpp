// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/memory_images.h"

namespace lockstep::trainer {

std::uint64_t drawFor(std::uint64_t seed, std::uint64_t index) {
  // splitmix64: good bits from neighbouring numbers, and nothing to keep.
  std::uint64_t x = seed * 0x9E3779B97F4A7C15ULL + index + 0x632BE59BD9B4E019ULL;
  for (int round = 0; round < 2; ++round) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
    x ^= x >> 31U;
  }
  return x;
}

MemoryImages::MemoryImages(ImageSet images, const SampleShape& shape, Normalization normalization,
                           bool augment)
    : images_(std::move(images)),
      shape_(shape),
      scale_(1.0F / (255.0F * normalization.deviation)),
      shift_(-normalization.mean / normalization.deviation),
      augment_(augment) {}

Result<void> MemoryImages::gather(std::span<const std::size_t> indices, std::uint64_t seed,
                                  Batch& batch) const {
  batch.resize(shape_, indices.size());
  const std::size_t size = shape_.inputsPerSample();
  float* to = batch.pixels.data();
  for (std::size_t i = 0; i < indices.size(); ++i, to += size) {
    const std::uint8_t* from = images_.pixels.data() + indices[i] * size;
    batch.targets[i] = images_.labels[indices[i]];
    if (augment_) {
      copyMoved(from, drawFor(seed, indices[i]), to);
    } else {
      for (std::size_t j = 0; j < size; ++j) to[j] = static_cast<float>(from[j]) * scale_ + shift_;
    }
  }
  return {};
}

void MemoryImages::copyMoved(const std::uint8_t* from, std::uint64_t draw, float* to) const {
  constexpr int kBorder = 4;
  constexpr int kPlaces = 2 * kBorder + 1;
  const int down = static_cast<int>(draw % kPlaces) - kBorder;
  const int right = static_cast<int>((draw >> 16U) % kPlaces) - kBorder;
  const bool mirrored = ((draw >> 32U) & 1U) != 0;
  const int channels = shape_.channels;
  for (int row = 0; row < shape_.height; ++row) {
    for (int column = 0; column < shape_.width; ++column) {
      const int y = row + down;
      const int x = (mirrored ? shape_.width - 1 - column : column) + right;
      const bool inside = y >= 0 && y < shape_.height && x >= 0 && x < shape_.width;
      const std::uint8_t* pixel = inside ? from + (y * shape_.width + x) * channels : nullptr;
      for (int channel = 0; channel < channels; ++channel)
        *to++ = (inside ? static_cast<float>(pixel[channel]) * scale_ : 0.0F) + shift_;
    }
  }
}

}  // namespace lockstep::trainer
