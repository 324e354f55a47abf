// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "setup/step/setup_step.h"

namespace lockstep::cli {

/// "bucket: ready", its findings with evidence and way out, its tables, and what could be fixed, on stdout.
void printReport(const std::string& step, const StepReport& report);
/// Title, difference and calls of a fix, on stdout.
void printFix(const std::string& step, const ProposedFix& fix);

}  // namespace lockstep::cli
