// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "diagnosis/findings/finding.h"
#include "widgets/common/theme/state_badge.h"

namespace lockstep {

// Findings in the user's words.

[[nodiscard]] QString textOf(const FindingText& text);         // a clause
[[nodiscard]] QString sentenceOf(const FindingText& text);     // "Look at its log."; empty of none
[[nodiscard]] QString kindText(FindingKind kind);              // "Slow rank"
[[nodiscard]] QString severityText(FindingSeverity severity);  // "Warning"
[[nodiscard]] QString confidenceText(double confidence);       // "high (90 %)"
/// "12:04:10, step 812, for 3 min", "12:04:10 to 12:09:00"
[[nodiscard]] QString sinceText(const RunFinding& finding, TimePoint now);
[[nodiscard]] BadgeTone toneOf(FindingSeverity severity);
/// All of it, for the clipboard.
[[nodiscard]] QString plainText(const RunFinding& finding, TimePoint now);

}  // namespace lockstep
