// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include "timeline/run_marks.h"
#include "widgets/runs/time/run_clock.h"

namespace lockstep {

/// "14:20:31", local; with the day in front where `span` is longer than one: "Thu 14:20:31".
[[nodiscard]] QString momentText(TimePoint time, std::chrono::nanoseconds span);
/// "12:04:10–12:05:00, ranks 3, 4".
[[nodiscard]] QString windowText(const RunWindow& window, std::chrono::nanoseconds span);
/// "Restart at step 80", "Evaluation: 71.5 %".
[[nodiscard]] QString markText(const RunMark& mark);
/// "Rank 3: 2.4 s ahead", a line for each; of many the first ones. Empty: no clock is off.
[[nodiscard]] QStringList clockLines(const ClockOffsets& clocks);
/// "4×"; RunClock::kWhole: "All in 30 s".
[[nodiscard]] QString speedText(double speed);

}  // namespace lockstep
