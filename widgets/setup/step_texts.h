// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <string>

#include "setup/step/setup_step.h"
#include "widgets/common/theme/state_badge.h"

namespace lockstep {

[[nodiscard]] BadgeTone toneOf(StepState state);
[[nodiscard]] QString nameOf(StepState state);  // "ready", translated

/// What a step of setupStepNames() is called, and what it is for; for an id that is none of them, the id.
[[nodiscard]] QString stepTitle(const std::string& stepId);
/// A text of core, which names steps as the command line does ("step auth"), with their titles instead.
[[nodiscard]] QString withStepTitles(const QString& text);
[[nodiscard]] QString stepPurpose(const std::string& stepId);

}  // namespace lockstep
