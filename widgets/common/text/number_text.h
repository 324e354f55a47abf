// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <chrono>

#include "base/clock.h"

namespace lockstep {

// Quantities as people read them, in the user's locale. What is no number gives an en dash.
[[nodiscard]] QString valueText(double value);                // 1.234, 0.000123, 1,234,567
[[nodiscard]] QString countText(double value);                // 1,234
[[nodiscard]] QString shortNumberText(double value);          // 999,999, 1.5M, 20G: a tick of an axis
[[nodiscard]] QString percentText(double value);              // 97 %
[[nodiscard]] QString bytesText(double bytes);                // 512 MB, 1.2 GB; 1 MB = 1,000,000 bytes
[[nodiscard]] QString ageText(std::chrono::nanoseconds age);  // just now, 12 s ago, 3 min ago, 2 h ago
[[nodiscard]] QString lagText(std::chrono::nanoseconds lag);  // 1.4 s, 2 min 5 s
[[nodiscard]] QString clockTimeText(TimePoint time);          // 12:04:10, local; of another day with its date

}  // namespace lockstep
