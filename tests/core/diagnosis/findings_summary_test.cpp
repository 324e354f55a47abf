// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/findings_summary.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

RunFinding findingOf(FindingKind kind, FindingSeverity severity, int rank) {
  RunFinding finding;
  finding.kind = kind;
  finding.severity = severity;
  finding.ranks = {Rank(rank)};
  return finding;
}

TEST(FindingsSummary, WhatGoesOnIsCountedByItsWorst) {
  DiagnosisReport report;
  report.findings = {findingOf(FindingKind::SilentRank, FindingSeverity::Warning, 3),
                     findingOf(FindingKind::Straggler, FindingSeverity::Notice, 1),
                     findingOf(FindingKind::SilentRank, FindingSeverity::Warning, 4),
                     findingOf(FindingKind::Stall, FindingSeverity::Critical, 0)};
  report.findings.back().end = TimePoint{};
  const RunFindings found = findingsOf(report, {});
  EXPECT_EQ(found.count, 3);  // what is over does not count
  EXPECT_EQ(found.worst, "warning");
  EXPECT_EQ(found.kinds, (std::vector<std::string>{"silent-rank", "straggler"}));
}

TEST(FindingsSummary, WhatIsMutedDoesNotCount) {
  DiagnosisReport report;
  report.findings = {findingOf(FindingKind::Stall, FindingSeverity::Critical, 0),
                     findingOf(FindingKind::Straggler, FindingSeverity::Notice, 1)};
  const std::string stall = report.findings.front().key(), straggler = report.findings.back().key();
  EXPECT_EQ(findingsOf(report, {stall}), (RunFindings{1, "notice", {"straggler"}}));
  EXPECT_EQ(findingsOf(report, {stall, straggler}), RunFindings{});
}

}  // namespace
}  // namespace lockstep
