// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "base/clock.h"
#include "runs/run_summary.h"
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

// The same of what lists have of a run.
[[nodiscard]] bool isRelaunchable(const RunSummary& run);
[[nodiscard]] QString placeOf(const RunSummary& run);
/// The result that says most of it: its accuracy, else its loss, else its first; null: none is known.
[[nodiscard]] const RunResult* mainResultOf(const RunSummary& run);
/// "Loss 0.4312"; empty: none is known.
[[nodiscard]] QString resultText(const RunSummary& run);
/// "12.40 USD", in brackets of a rehearsal, which costs nothing; empty: not known.
[[nodiscard]] QString costText(const RunSummary& run, TimePoint now);
/// "★ baseline, paper": the star of one that is pinned.
[[nodiscard]] QString tagsText(const RunMarks& marks);

}  // namespace lockstep
