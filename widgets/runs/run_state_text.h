// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "base/clock.h"
#include "runs/training_run.h"
#include "widgets/common/theme/state_badge.h"

namespace lockstep {

/// How a run's state is shown: the translated word and the tone of its badge.
[[nodiscard]] QString textOf(RunState state);
[[nodiscard]] BadgeTone toneOf(RunState state);
/// The same for one node.
[[nodiscard]] QString textOf(JobRunState state);

/// How long the run has taken until `now`, or took; "0:07".
[[nodiscard]] QString elapsedOf(const TrainingRun& run, TimePoint now);
/// "Today 14:02", "Yesterday 9:15" or the date, in local time.
[[nodiscard]] QString startedText(TimePoint started, TimePoint now);
/// Whether the run belongs to a rehearsal region, which this machine can start.
[[nodiscard]] bool isRehearsed(const TrainingRun& run);
/// Whether the run has ended and can be launched again: the text that it was launched from is known.
[[nodiscard]] bool isRelaunchable(const TrainingRun& run);
/// Where it runs, for people: "rehearsal", "OCI · TEAM".
[[nodiscard]] QString placeOf(const TrainingRun& run);

}  // namespace lockstep
