// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <set>
#include <string>

#include "diagnosis/detectors/failure_lines.h"
#include "diagnosis/detectors/recent_samples.h"
#include "diagnosis/detectors/run_history.h"
#include "diagnosis/findings/finding.h"
#include "health/health_text.h"

namespace lockstep {

/// What is known of a run beside samples, health and lines.
struct RunFacts {
  RunStage stage = RunStage::Running;
  std::string failure;                             // why it failed, in words; may be empty
  std::map<std::string, std::string> environment;  // that was asked for, of all nodes together
  bool isEnvironmentKnown = false;
  int nodes = 1;
  TimePoint created{};
};

/// All that a detector is given. Refers to what Diagnosis keeps.
struct Observation {
  const RunTimeline& timeline;  // of all samples, also in a review of the past
  const RecentSamples& recent;
  const RunHistory& history;  // without this look
  const RunHealth* health;    // null: nothing is published, or the look is at the past
  const FailureLines& lines;
  const RunFacts& facts;
  TimePoint now{};  // by the clock of who looks
  SteadyPoint steady{};
  bool isLive = true;                  // false: a review of the past
  const std::set<std::string>& known;  // keys of what was found before and goes on

  /// A limit that what is known already passes more easily, so that a finding does not come and go.
  [[nodiscard]] double limit(const RunFinding& finding, double value) const {
    constexpr double kEasier = 0.7;
    return known.contains(finding.key()) ? kEasier * value : value;
  }
};

}  // namespace lockstep
