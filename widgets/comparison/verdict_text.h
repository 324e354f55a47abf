// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <vector>

#include "comparison/run_difference.h"
#include "comparison/verdict.h"

namespace lockstep {

/// toText() and verdictLine() of core in the user's language.
[[nodiscard]] QString verdictText(const Verdict& verdict, const std::vector<std::string>& labels);
[[nodiscard]] QString verdictText(const std::vector<ComparedRun>& runs, const std::string& metric);
/// "Loss", or a script's own name.
[[nodiscard]] QString titleOfResult(const std::string& metric);
[[nodiscard]] QString textOf(DifferenceArea area);

}  // namespace lockstep
