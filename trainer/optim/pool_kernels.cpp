// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/optim/pool_kernels.h"

#include <algorithm>
#include <bit>

#include "trainer/optim/wide_vectors.h"

namespace lockstep::trainer {
namespace {

// What is inlined is compiled for the vectors of its caller.
#define LOCKSTEP_INLINED inline __attribute__((always_inline))

LOCKSTEP_INLINED float valueOf(float number) {
  return number;
}
LOCKSTEP_INLINED float valueOf(BFloat16Bits number) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(number.bits) << 16);
}
LOCKSTEP_INLINED void put(float value, float& number) {
  number = value;
}
// Only values that came from such a number.
LOCKSTEP_INLINED void put(float value, BFloat16Bits& number) {
  number.bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

// One output pixel: four input pixels with all their channels.
template <class Number>
LOCKSTEP_INLINED void pool(const Number* __restrict upper, const Number* __restrict lower,
                           std::size_t channels, Number* __restrict output, std::uint8_t* __restrict source) {
  const Number* others[3] = {upper + channels, lower, lower + channels};
  for (std::size_t c = 0; c < channels; ++c) {
    float max = valueOf(upper[c]);
    std::int32_t from = 0;
    for (std::int32_t other = 0; other < 3; ++other) {
      const float value = valueOf(others[other][c]);
      // LibTorch's rule: the first of equals, and a NaN before all.
      const bool takes = (value > max) | (value != value);
      max = takes ? value : max;
      from = takes ? other + 1 : from;
    }
    const bool isNegative = max <= 0;
    put(isNegative ? 0.0F : max, output[c]);
    source[c] = static_cast<std::uint8_t>(isNegative ? kNoSource : from);
  }
}

LOCKSTEP_INLINED std::uint32_t bitsOf(float number) {
  return std::bit_cast<std::uint32_t>(number);
}
LOCKSTEP_INLINED std::uint16_t bitsOf(BFloat16Bits number) {
  return number.bits;
}

// With masks instead of choices, which become vectors for numbers of any width.
template <class Number>
LOCKSTEP_INLINED void unpool(const Number* __restrict gradient, const std::uint8_t* __restrict source,
                             std::size_t channels, Number* __restrict upper, Number* __restrict lower) {
  using Bits = decltype(bitsOf(Number{}));
  for (std::size_t c = 0; c < channels; ++c) {
    const Bits bits = bitsOf(gradient[c]);
    const Bits from = source[c];
    const auto partOf = [&](Bits place) {
      return std::bit_cast<Number>(
          static_cast<Bits>(bits & static_cast<Bits>(-static_cast<Bits>(from == place))));
    };
    upper[c] = partOf(0);
    upper[channels + c] = partOf(1);
    lower[c] = partOf(2);
    lower[channels + c] = partOf(3);
  }
}

LOCKSTEP_WIDEST_VECTORS
void poolPixel(const float* upper, const float* lower, std::size_t channels, float* output,
               std::uint8_t* source) {
  pool(upper, lower, channels, output, source);
}
LOCKSTEP_WIDEST_VECTORS
void poolPixel(const BFloat16Bits* upper, const BFloat16Bits* lower, std::size_t channels,
               BFloat16Bits* output, std::uint8_t* source) {
  pool(upper, lower, channels, output, source);
}
LOCKSTEP_WIDEST_VECTORS
void unpoolPixel(const float* gradient, const std::uint8_t* source, std::size_t channels, float* upper,
                 float* lower) {
  unpool(gradient, source, channels, upper, lower);
}
LOCKSTEP_WIDEST_VECTORS
void unpoolPixel(const BFloat16Bits* gradient, const std::uint8_t* source, std::size_t channels,
                 BFloat16Bits* upper, BFloat16Bits* lower) {
  unpool(gradient, source, channels, upper, lower);
}

template <class Number>
void poolAll(const RowPair<const Number>& rows, Number* output, std::uint8_t* source) {
  for (std::size_t x = 0; x + 1 < rows.width; x += 2) {
    const std::size_t in = x * rows.channels;
    const std::size_t out = x / 2 * rows.channels;
    poolPixel(rows.upper + in, rows.lower + in, rows.channels, output + out, source + out);
  }
}

template <class Number>
void unpoolAll(const Number* gradient, const std::uint8_t* source, const RowPair<Number>& rows) {
  for (std::size_t x = 0; x + 1 < rows.width; x += 2) {
    const std::size_t in = x * rows.channels;
    const std::size_t out = x / 2 * rows.channels;
    unpoolPixel(gradient + out, source + out, rows.channels, rows.upper + in, rows.lower + in);
  }
  if (rows.width % 2 == 0) return;
  std::fill_n(rows.upper + (rows.width - 1) * rows.channels, rows.channels, Number{});
  std::fill_n(rows.lower + (rows.width - 1) * rows.channels, rows.channels, Number{});
}

}  // namespace

void poolRows(const RowPair<const float>& rows, float* output, std::uint8_t* source) {
  poolAll(rows, output, source);
}
void poolRows(const RowPair<const BFloat16Bits>& rows, BFloat16Bits* output, std::uint8_t* source) {
  poolAll(rows, output, source);
}
void unpoolRows(const float* gradient, const std::uint8_t* source, const RowPair<float>& rows) {
  unpoolAll(gradient, source, rows);
}
void unpoolRows(const BFloat16Bits* gradient, const std::uint8_t* source, const RowPair<BFloat16Bits>& rows) {
  unpoolAll(gradient, source, rows);
}

}  // namespace lockstep::trainer
