// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "telling/run_news.h"

namespace lockstep {

inline constexpr TimePoint kNewsTime{std::chrono::hours(480'000)};

inline RunFinding findingOf(int rank, FindingSeverity severity = FindingSeverity::Warning) {
  RunFinding finding;
  finding.kind = FindingKind::Straggler;
  finding.severity = severity;
  finding.ranks = {Rank(rank)};
  finding.what = {"rank %1 is slow", {{std::to_string(rank)}}};
  finding.cause = {"its loader", {}};
  finding.remedy = {"more workers", {}};
  return finding;
}

inline TrainingRun liveRun() {
  TrainingRun run;
  run.id = RunId("cifar-1");
  run.name = "cifar";
  run.launchComplete = true;
  NodeRun node;
  node.id = JobRunId("run-0");
  node.state = JobRunState::InProgress;
  run.nodes.push_back(node);
  return run;
}

inline RunNews newsOfFinding() {
  RunNews news;
  news.kind = RunNews::Kind::FindingBegan;
  news.run = RunId("cifar-1");
  news.name = "cifar";
  news.finding = findingOf(3);
  news.time = kNewsTime;
  return news;
}

}  // namespace lockstep
