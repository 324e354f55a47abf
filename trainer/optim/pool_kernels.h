// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep::trainer {

/// Two neighbouring rows of an image, pixel by pixel with all channels of each, become one row of half the
/// width: the largest of each 2x2 square, or 0 where that is negative. A last column without a partner is
/// left out.
struct PooledRows {
  const float* upper = nullptr;
  const float* lower = nullptr;
  std::size_t width = 0;  // of the image
  std::size_t channels = 0;
};

/// Writes (width / 2) * channels numbers, and for each where it came from: 0 and 1 upper, 2 and 3 lower row,
/// the first of equals, NaN before all; kNoSource where the output is 0.
void poolRows(const PooledRows& rows, float* output, std::uint8_t* source);

inline constexpr std::uint8_t kNoSource = 4;

/// The gradient: `upper` and `lower` are written whole, with zeros where nothing came from.
void unpoolRows(const float* gradient, const std::uint8_t* source, std::size_t width, std::size_t channels,
                float* upper, float* lower);

}  // namespace lockstep::trainer
