// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <optional>

#include "logs/log_line.h"

namespace lockstep {

/// "14:20:29.112" in local time.
[[nodiscard]] QString lineTimeText(TimePoint time);
[[nodiscard]] QString levelText(LogLevel level);  // "Warning"
/// "14:20:29.112 – 14:21:00.000", "from …", "until …" in local time; empty: neither is given.
[[nodiscard]] QString timesText(std::optional<TimePoint> from, std::optional<TimePoint> until);

}  // namespace lockstep
