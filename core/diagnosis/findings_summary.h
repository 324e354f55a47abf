// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <set>
#include <string>

#include "diagnosis/diagnosis.h"
#include "runs/run_summary.h"

namespace lockstep {

/// What lists show of a report: how many findings go on, and the worst of them. `muted`: keys of those that do not count. Pure.
[[nodiscard]] RunFindings findingsOf(const DiagnosisReport& report, const std::set<std::string>& muted);

}  // namespace lockstep
