// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "runs/run_summary.h"
#include "widgets/common/theme/state_badge.h"

namespace lockstep {

// What lists show of what was found in a run.

/// "2"; empty: nobody has looked.
[[nodiscard]] QString findingsText(const RunSummary& run);
/// "2 findings, the worst: critical".
[[nodiscard]] QString findingsSentence(const RunSummary& run);
/// The same, and the titles of their kinds, a line each.
[[nodiscard]] QString findingsToolTip(const RunSummary& run);
[[nodiscard]] BadgeTone toneOf(const RunFindings& findings);
/// What they are sorted by: the worst first, then how many there are. At least 0, which is none.
[[nodiscard]] double weightOf(const RunFindings& findings);

}  // namespace lockstep
