// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/support/region_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text/terminal_text.h"
#include "base/time_text.h"

namespace lockstep::rehearsal {

void logLine(std::string_view text) {
  const std::string line = fmt::format("{} {}\n", toRfc3339(SystemClock().now()), forTerminal(text));
  [[maybe_unused]] const ssize_t n =
      ::write(STDERR_FILENO, line.data(), line.size());  // one write: lines stay whole
}

}  // namespace lockstep::rehearsal
