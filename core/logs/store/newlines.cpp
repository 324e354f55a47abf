// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/newlines.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace lockstep {

#ifdef __SSE2__

std::size_t countNewlines(std::string_view text) {
  const __m128i newline = _mm_set1_epi8('\n');
  const char* at = text.data();
  std::size_t left = text.size();
  std::size_t count = 0;
  while (left >= 16) {
    // Each of the 16 counters is a byte: it holds 255 rounds.
    __m128i counters = _mm_setzero_si128();
    for (int round = 0; round < 255 && left >= 16; ++round, at += 16, left -= 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      counters = _mm_sub_epi8(counters, _mm_cmpeq_epi8(bytes, newline));
    }
    const __m128i sums = _mm_sad_epu8(counters, _mm_setzero_si128());
    count += static_cast<std::size_t>(_mm_cvtsi128_si64(sums)) +
             static_cast<std::size_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums)));
  }
  return count + static_cast<std::size_t>(std::count(at, at + left, '\n'));
}

#else

std::size_t countNewlines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

#endif

}  // namespace lockstep
