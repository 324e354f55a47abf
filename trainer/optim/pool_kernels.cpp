// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/optim/pool_kernels.h"

#include <algorithm>

#include "trainer/optim/wide_vectors.h"

namespace lockstep::trainer {
namespace {

// One output pixel: four input pixels with all their channels.
LOCKSTEP_WIDEST_VECTORS
void poolPixel(const float* __restrict upper, const float* __restrict lower, std::size_t channels,
               float* __restrict output, std::uint8_t* __restrict source) {
  const float* squares[3] = {upper + channels, lower, lower + channels};
  for (std::size_t c = 0; c < channels; ++c) {
    float most = upper[c];
    std::int32_t from = 0;
    for (std::int32_t other = 0; other < 3; ++other) {
      const float value = squares[other][c];
      // LibTorch's rule: the first of equals, and a NaN before all.
      const bool takes = (value > most) | (value != value);
      most = takes ? value : most;
      from = takes ? other + 1 : from;
    }
    const bool isNegative = most <= 0;
    output[c] = isNegative ? 0.0F : most;
    source[c] = static_cast<std::uint8_t>(isNegative ? kNoSource : from);
  }
}

LOCKSTEP_WIDEST_VECTORS
void unpoolPixel(const float* __restrict gradient, const std::uint8_t* __restrict source,
                 std::size_t channels, float* __restrict upper, float* __restrict lower) {
  for (std::size_t c = 0; c < channels; ++c) {
    const float g = gradient[c];
    const std::int32_t from = source[c];
    upper[c] = from == 0 ? g : 0.0F;
    upper[channels + c] = from == 1 ? g : 0.0F;
    lower[c] = from == 2 ? g : 0.0F;
    lower[channels + c] = from == 3 ? g : 0.0F;
  }
}

}  // namespace

void poolRows(const PooledRows& rows, float* output, std::uint8_t* source) {
  for (std::size_t x = 0; x + 1 < rows.width; x += 2) {
    const std::size_t in = x * rows.channels;
    const std::size_t out = x / 2 * rows.channels;
    poolPixel(rows.upper + in, rows.lower + in, rows.channels, output + out, source + out);
  }
}

void unpoolRows(const float* gradient, const std::uint8_t* source, std::size_t width, std::size_t channels,
                float* upper, float* lower) {
  for (std::size_t x = 0; x + 1 < width; x += 2) {
    const std::size_t in = x * channels;
    const std::size_t out = x / 2 * channels;
    unpoolPixel(gradient + out, source + out, channels, upper + in, lower + in);
  }
  if (width % 2 == 0) return;
  std::fill_n(upper + (width - 1) * channels, channels, 0.0F);
  std::fill_n(lower + (width - 1) * channels, channels, 0.0F);
}

}  // namespace lockstep::trainer
