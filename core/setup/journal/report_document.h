// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "setup/step/setup_step.h"

namespace lockstep {

/// A check to hand to a colleague or to support.
struct ReportDocument {
  std::string profile, region;
  TimePoint checkedAt{};
  std::vector<std::pair<std::string, StepReport>> steps;  // in the order of setupStepNames()
};

/// Plain text, and one HTML page without anything from elsewhere. Tokens, keys, fingerprints and the middle
/// of OCIDs are left out ("ocid1.user.oc1..aaaa…wxyz"); every value is escaped. Pure.
[[nodiscard]] std::string reportText(const ReportDocument& document);
[[nodiscard]] std::string reportHtml(const ReportDocument& document);

}  // namespace lockstep
