// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/step/setup_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

int badness(StepState state) {
  switch (state) {
    case StepState::NotApplicable:
    case StepState::Waived:
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
    case StepState::Waived:
      return "waived";
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

namespace {

nlohmann::json toJson(const ReportTable& table) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& row : table.rows) {
    nlohmann::json cells = nlohmann::json::array();
    for (const ReportTable::Cell& cell : row) {
      nlohmann::json one{{"text", cell.text}, {"detail", cell.detail}};
      if (cell.state != StepState::Unknown) one["state"] = toString(cell.state);
      cells.push_back(std::move(one));
    }
    rows.push_back(std::move(cells));
  }
  return {{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

}  // namespace

nlohmann::json toJson(const StepReport& report) {
  nlohmann::json findings = nlohmann::json::array(), fixes = nlohmann::json::array(),
                 tables = nlohmann::json::array();
  for (const Finding& f : report.findings)
    findings.push_back({{"state", toString(f.state)},
                        {"code", f.code},
                        {"text", f.text},
                        {"cause", f.cause},
                        {"evidence", f.evidence},
                        {"remedy", f.remedy}});
  for (const ProposedFix& f : report.fixes)
    fixes.push_back({{"id", f.id},
                     {"title", f.title},
                     {"unsafe", f.isUnsafe},
                     {"needsPerson", f.needsPerson},
                     {"before", f.before},
                     {"after", f.after},
                     {"calls", f.calls},
                     {"waitsFor", f.waitsFor}});
  for (const ReportTable& table : report.tables) tables.push_back(toJson(table));
  return {{"state", toString(report.state)}, {"findings", std::move(findings)}, {"fixes", std::move(fixes)},
          {"tables", std::move(tables)},     {"facts", report.facts},           {"names", report.names}};
}

Result<void> SetupStep::takeBack(const AppliedChange& change, const std::stop_token&) {
  return failure(ErrorCode::InvalidArgument, "cannot take back '" + change.title + "'",
                 "the step '" + id() + "' makes no change of the kind '" + change.kind + "'");
}

}  // namespace lockstep
