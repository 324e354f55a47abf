// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "health/reach_findings.h"
#include "health/stall.h"

namespace lockstep {

/// Why a run does not go on, and what to do about it. English, as clauses without a full stop; the command line prints
/// them, the desktop translates them (context lockstep::HealthTexts). Empty: there is nothing to say.
struct HealthAdvice {
  const char* cause = "";
  const char* remedy = "";
};
[[nodiscard]] HealthAdvice adviceFor(const Stall& stall);
/// About a link that is closed (isClosed). "%1" stands for the node that cannot be reached, "%2" for the one that
/// tried. The cause stands beside what was seen.
[[nodiscard]] HealthAdvice adviceFor(LinkState state);

}  // namespace lockstep
