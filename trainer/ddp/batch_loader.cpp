// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/batch_loader.h"

namespace lockstep::trainer {

void gatherBatch(const ImageSet& images, std::span<const std::size_t> indices, std::span<float> pixels,
                 std::span<std::int64_t> labels) {
  constexpr float kScale = 1.0F / 127.5F;
  float* to = pixels.data();
  for (std::size_t i = 0; i < indices.size(); ++i, to += kImageBytes) {
    const std::uint8_t* from = images.pixels.data() + indices[i] * kImageBytes;
    for (std::size_t j = 0; j < kImageBytes; ++j) to[j] = static_cast<float>(from[j]) * kScale - 1.0F;
    labels[i] = images.labels[indices[i]];
  }
}

}  // namespace lockstep::trainer
