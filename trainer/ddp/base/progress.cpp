// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/progress.h"

#include <fmt/format.h>

#include <sstream>

namespace lockstep::trainer {

std::string describe(const Standing& standing) {
  if (standing.step < 0) return fmt::format("while {}", toString(standing.phase));
  return fmt::format("at step {} ({})", standing.step, toString(standing.phase));
}

std::string encode(const Standing& standing) {
  return fmt::format("{} {} {} {} {}", static_cast<int>(standing.phase), standing.step, standing.collectives,
                     standing.busyMicros, standing.segments);
}

std::optional<Standing> decodeStanding(std::string_view text) {
  std::istringstream words{std::string(text)};
  int phase = 0;
  Standing standing;
  if (!(words >> phase >> standing.step >> standing.collectives >> standing.busyMicros >>
        standing.segments) ||
      phase < 0 || phase > static_cast<int>(RankPhase::Ending)) {
    return std::nullopt;
  }
  standing.phase = static_cast<RankPhase>(phase);
  return standing;
}

}  // namespace lockstep::trainer
