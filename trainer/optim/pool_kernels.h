// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>

namespace lockstep::trainer {

/// The upper half of a float.
struct BFloat16Bits {
  std::uint16_t bits = 0;
};

/// Two neighbouring rows of an image, pixel by pixel with all channels of each. Number: float or
/// BFloat16Bits.
template <class Number>
struct RowPair {
  Number* upper = nullptr;
  Number* lower = nullptr;
  std::size_t width = 0;
  std::size_t channels = 0;
};

inline constexpr std::uint8_t kNoSource = 4;

/// The two rows become one of half the width: the largest of each 2x2 square, or 0 where that is negative; a
/// last column without a partner is left out. Writes (width / 2) * channels numbers, and for each where it
/// came from: 0 and 1 upper, 2 and 3 lower row, the first of equals, NaN before all; kNoSource where the
/// output is 0.
void poolRows(const RowPair<const float>& rows, float* output, std::uint8_t* source);
void poolRows(const RowPair<const BFloat16Bits>& rows, BFloat16Bits* output, std::uint8_t* source);

/// The gradient: both rows are written whole, with zeros where nothing came from.
void unpoolRows(const float* gradient, const std::uint8_t* source, const RowPair<float>& rows);
void unpoolRows(const BFloat16Bits* gradient, const std::uint8_t* source, const RowPair<BFloat16Bits>& rows);

}  // namespace lockstep::trainer
