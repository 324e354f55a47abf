// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

int badness(StepState state) {
  switch (state) {
    case StepState::NotApplicable:
      return 0;
    case StepState::Ready:
      return 1;
    case StepState::Unknown:
    case StepState::Checking:
      return 2;
    case StepState::Warning:
      return 3;
    case StepState::Blocked:
      return 4;
  }
  return 2;
}

}  // namespace

const char* toString(StepState state) {
  switch (state) {
    case StepState::Unknown:
      return "unknown";
    case StepState::Checking:
      return "checking";
    case StepState::Ready:
      return "ready";
    case StepState::Warning:
      return "warning";
    case StepState::Blocked:
      return "blocked";
    case StepState::NotApplicable:
      return "not-applicable";
  }
  return "unknown";
}

StepReport reportOf(std::vector<Finding> findings) {
  StepReport report;
  const auto worst = std::max_element(
      findings.begin(), findings.end(),
      [](const Finding& a, const Finding& b) { return badness(a.state) < badness(b.state); });
  if (worst != findings.end()) report.state = worst->state;
  report.findings = std::move(findings);
  return report;
}

nlohmann::json toJson(const StepReport& report) {
  nlohmann::json findings = nlohmann::json::array();
  for (const Finding& f : report.findings) {
    findings.push_back(
        {{"state", toString(f.state)}, {"text", f.text}, {"evidence", f.evidence}, {"remedy", f.remedy}});
  }
  return {{"state", toString(report.state)}, {"findings", std::move(findings)}};
}

}  // namespace lockstep
