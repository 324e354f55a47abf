// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "setup/steps/setup_steps.h"

namespace lockstep {

/// Called as each step is done, one at a time, from any thread.
using ReportHandler = std::function<void(const std::string& stepId, const StepReport& report)>;

/// Checks the steps side by side, all read-only; returns when all are done or given up after `stop`. A step
/// that the choices waive is not checked: its report is Waived with the user's reason. Unknown ids are left
/// out.
void checkSteps(const SetupContextPtr& context, const std::vector<std::string>& stepIds,
                const ReportHandler& report, const std::stop_token& stop);

}  // namespace lockstep
