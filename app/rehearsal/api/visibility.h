// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace lockstep::rehearsal {

/// When what is there comes to be seen by a listing or a search. As it stands: at once. Times in ms.
struct Visibility {
  long long late = 0;         // everything, by so much
  long long drawnWithin = 0;  // or each thing by a share of this, so that their order changes
  std::uint64_t seed = 0;     // of the draw

  /// Whether what came to be at `since` is seen at `now`. Its id decides the draw.
  [[nodiscard]] bool sees(long long since, const std::string& id, long long now) const;
};

/// The n-th number of a stream of equally distributed numbers from 0 to below 1.
[[nodiscard]] double drawn(std::uint64_t seed, std::uint64_t stream, std::uint64_t n);

}  // namespace lockstep::rehearsal
