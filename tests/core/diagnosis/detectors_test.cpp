// SPDX-License-Identifier: GPL-3.0-or-later
// Each detector: what it says, what with, and that it says nothing where nothing was measured.
#include "diagnosis/detectors/detectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "diagnosis/findings/finding_catalogue.h"
#include "diagnosis/findings/finding_words.h"
#include "simulated_run.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

SimulatedFault slowRank(int rank, std::string_view phase, double share) {
  SimulatedFault fault;
  fault.rank = rank;
  fault.slowPhases[phase] = share;
  return fault;
}

bool isUnmeasured(const DiagnosisReport& report, FindingKind kind) {
  return std::ranges::find(report.unmeasured, kind) != report.unmeasured.end();
}

std::string evidenceOf(const RunFinding& finding) {
  std::string all;
  for (const FindingText& text : finding.evidence) all += englishOf(text) + "\n";
  return all;
}

/// A run of which only these quantities are measured, one value a step and rank.
MetricStore storeWith(const std::vector<std::pair<std::string_view, double>>& values, int ranks, Step steps) {
  MetricStore store;
  for (int rank = 0; rank < ranks; ++rank)
    for (const auto& [name, value] : values) {
      MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
      for (Step step = 0; step < steps; ++step)
        batch.points.push_back({step, SimulatedRun::kBegin + step * 100ms, value});
      store.add(batch);
    }
  return store;
}

std::shared_ptr<const DiagnosisReport> lookAt(MetricStore& store, RunFacts facts = {}) {
  Diagnosis diagnosis;
  const TimePoint now = store.times() ? store.times()->second : SimulatedRun::kBegin;
  return diagnosis.look({store.snapshot(), nullptr, facts, now, SteadyPoint(now.time_since_epoch())});
}

TEST(FindingCatalogue, HasARowAndADetectorForEveryKind) {
  std::set<FindingKind> detected;
  for (const Detector& detector : detectors()) EXPECT_TRUE(detected.insert(detector.kind).second);
  std::set<std::string> codes;
  for (std::size_t i = 0; i < findingCatalogue().size(); ++i) {
    const FindingInfo& info = findingCatalogue()[i];
    EXPECT_EQ(static_cast<std::size_t>(info.kind), i) << info.code << " stands elsewhere than in FindingKind";
    EXPECT_EQ(&infoOf(info.kind), &info);
    EXPECT_TRUE(codes.insert(info.code).second);
    EXPECT_EQ(findingKindNamed(info.code), info.kind);
    EXPECT_TRUE(detected.contains(info.kind)) << info.code;
  }
  EXPECT_EQ(detected.size(), findingCatalogue().size());
  EXPECT_EQ(findingKindNamed("nothing"), std::nullopt);
}

TEST(Findings, AreSaidInOneLineAndInJson) {
  RunFinding finding;
  finding.kind = FindingKind::Straggler;
  finding.ranks = {Rank(0), Rank(1), Rank(2), Rank(7)};
  finding.metric = metric::kForwardMs;
  finding.what = {"ranks %1 in %2, 100 %", {{"0-2, 7"}, metricArgument(metric::kForwardMs)}};
  finding.cause = {"why", {}};
  finding.remedy = {"do it", {}};
  finding.confidence = 0.853;
  EXPECT_EQ(finding.key(), "straggler 0-2,7 forward_ms");
  EXPECT_EQ(oneLineOf(finding), "ranks 0-2, 7 in Forward, 100 %: why; do it");
  const auto json = toJson(finding);
  EXPECT_EQ(json["kind"], "straggler");
  EXPECT_EQ(json["ranks"], nlohmann::json({0, 1, 2, 7}));
  EXPECT_EQ(json["severity"], "warning");
  EXPECT_EQ(json["confidence"], 0.85);
  EXPECT_TRUE(json["end"].is_null());
}

TEST(Findings, TheWorstComesFirstAndWhatEndedLast) {
  RunFinding notice, critical, ended;
  notice.severity = FindingSeverity::Notice;
  critical.severity = FindingSeverity::Critical;
  ended.severity = FindingSeverity::Critical;
  ended.end = SimulatedRun::kBegin;
  std::vector all{ended, notice, critical};
  sortWorstFirst(all);
  EXPECT_EQ(all[0].severity, FindingSeverity::Critical);
  EXPECT_FALSE(all[0].end);
  EXPECT_EQ(all[1].severity, FindingSeverity::Notice);
  EXPECT_TRUE(all[2].end);
}

TEST(Diagnosis, OfARunWithoutSamplesSaysThatNothingWasMeasured) {
  MetricStore store;
  const auto report = lookAt(store);
  EXPECT_TRUE(report->findings.empty());
  EXPECT_EQ(report->unmeasured.size(), findingCatalogue().size());
}

TEST(Diagnosis, WithoutPhasesSaysNothingOfStragglersButThatNothingWasMeasured) {
  MetricStore store = storeWith({{metric::kStepMs, 100}, {metric::kLoss, 1}}, 4, 600);
  const auto report = lookAt(store);
  EXPECT_TRUE(report->findings.empty());
  for (const FindingKind kind :
       {FindingKind::Straggler, FindingKind::StarvedLoader, FindingKind::SlowLink, FindingKind::GpuError,
        FindingKind::ThrottledGpu, FindingKind::IdleGpu, FindingKind::MemoryRunsOut,
        FindingKind::DiskRunsFull, FindingKind::UnbalancedData, FindingKind::FirstFailure,
        FindingKind::Settings})
    EXPECT_TRUE(isUnmeasured(*report, kind)) << infoOf(kind).code;
  for (const FindingKind kind : {FindingKind::NotANumber, FindingKind::ThroughputDrop, FindingKind::Stall})
    EXPECT_FALSE(isUnmeasured(*report, kind)) << infoOf(kind).code;
}

TEST(Diagnosis, StepsBeyondEveryBoundAreNoOverflow) {
  constexpr Step kLast = std::numeric_limits<Step>::max(), kFirst = std::numeric_limits<Step>::min();
  MetricStore store;
  for (int rank = 0; rank < 2; ++rank)
    for (const std::string_view name :
         {metric::kLoss, metric::kStepMs, metric::kNodeMemoryPercent, metric::kTotalSteps}) {
      MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
      for (int i = 0; i < 40; ++i)
        batch.points.push_back(
            {i < 20 ? kFirst + i : kLast - 39 + i, SimulatedRun::kBegin + i * 1s, 1.0 + i});
      store.add(batch);
    }
  EXPECT_FALSE(lookAt(store)->unmeasured.empty());
}

TEST(Diagnosis, OfOneRankNobodyIsSlow) {
  SimulatedSetting setting;
  setting.ranks = 1;
  SimulatedRun run(setting);
  run.run(60s);
  run.set(slowRank(0, metric::kForwardMs, 0.3));
  run.run(40s);
  EXPECT_EQ(findingOf(run.report(), FindingKind::Straggler), nullptr);
  EXPECT_TRUE(isUnmeasured(run.report(), FindingKind::Straggler));
}

TEST(Straggler, IsNamedWithWhatWasMeasuredAndSinceWhen) {
  SimulatedRun run({});
  run.run(60s);
  const TimePoint begin = run.now();
  run.set(slowRank(5, metric::kForwardMs, 0.3));
  run.run(40s);
  const RunFinding* found = findingOf(run.report(), FindingKind::Straggler);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->key(), "straggler 5 forward_ms");
  EXPECT_NEAR(std::chrono::duration<double>(found->since - begin).count(), 0, 11);
  EXPECT_EQ(found->severity, FindingSeverity::Critical);
  EXPECT_GE(found->confidence, 0.8);
  EXPECT_TRUE(found->unmeasured.empty());
  EXPECT_NE(evidenceOf(*found).find("Waiting for peers: rank 5"), std::string::npos) << evidenceOf(*found);
}

TEST(Straggler, OfAScriptIsSaidWithLessConfidence) {
  SimulatedSetting setting;
  setting.measuresWait = false;
  SimulatedRun run(setting);
  run.run(60s);
  run.set(slowRank(2, metric::kDataMs, 0.3));
  run.run(40s);
  const RunFinding* found = findingOf(run.report(), FindingKind::Straggler);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(2)});
  EXPECT_LT(found->confidence, 0.8);
  ASSERT_EQ(found->unmeasured.size(), 1U);
  EXPECT_EQ(englishOf(found->unmeasured[0]), "waiting for peers was not measured");
}

TEST(Straggler, StaysWhileItIsNearTheLimitAndEndsWithTheDelay) {
  SimulatedRun run({});
  run.run(60s);
  run.set(slowRank(1, metric::kDataMs, 0.25));
  run.run(40s);
  ASSERT_NE(findingOf(run.report(), FindingKind::Straggler), nullptr);
  run.set(slowRank(1, metric::kDataMs, 0.078));  // would not be raised, but is not over
  run.run(60s);
  EXPECT_NE(findingOf(run.report(), FindingKind::Straggler), nullptr);
  run.set({});
  run.run(40s);
  EXPECT_EQ(findingOf(run.report(), FindingKind::Straggler), nullptr);
  ASSERT_EQ(run.report().findings.size(), 1U);
  EXPECT_TRUE(run.report().findings[0].end);
}

TEST(Straggler, IsNotSaidTwiceWithTheDropOfThroughput) {
  SimulatedRun run({});
  run.run(90s);
  run.set(slowRank(1, metric::kForwardMs, 0.8));
  run.run(60s);
  ASSERT_EQ(run.report().findings.size(), 1U);
  EXPECT_EQ(run.report().findings[0].kind, FindingKind::Straggler);
}

TEST(Diagnosis, WhatWasFoundEndsWithARestart) {
  SimulatedRun run({});
  run.run(60s);
  run.set(slowRank(1, metric::kForwardMs, 0.3));
  run.run(40s);
  ASSERT_NE(findingOf(run.report(), FindingKind::Straggler), nullptr);
  run.set({});
  run.restart(10);
  run.run(10s);
  EXPECT_EQ(findingOf(run.report(), FindingKind::Straggler), nullptr);
}

TEST(Diagnosis, LooksWithoutNewSamplesRaiseNothing) {
  SimulatedRun run({});
  run.run(60s);
  run.set(slowRank(1, metric::kForwardMs, 0.4));
  bool wasRaised = false;
  run.onLook([&](const DiagnosisReport& report) { wasRaised = wasRaised || !report.findings.empty(); });
  run.run(8s);  // two looks find it
  ASSERT_FALSE(wasRaised);
  run.lookNow();
  for (int i = 0; i < 10; ++i) run.lookNow();
  EXPECT_FALSE(wasRaised) << "ten looks at the same samples are one";
}

TEST(Diagnosis, TheFirstLookGoesThroughThePast) {
  SimulatedRun run({});
  run.run(120s);
  run.set(slowRank(3, metric::kBackwardMs, 0.3));
  run.run(60s);
  Diagnosis late;
  const auto report = late.look({run.samples().snapshot(), nullptr, run.facts(), run.now(),
                                 SteadyPoint(run.now() - SimulatedRun::kBegin)});
  const RunFinding* found = findingOf(*report, FindingKind::Straggler);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(3)});
}

TEST(Diagnosis, OfARunThatIsOverTellsWhatWasWhenItEnded) {
  SimulatedRun run({});
  run.run(120s);
  run.set(slowRank(3, metric::kBackwardMs, 0.3));
  run.run(60s);
  RunFacts facts = run.facts();
  facts.stage = RunStage::Over;
  Diagnosis late;
  const auto report = late.look({run.samples().snapshot(), nullptr, facts, run.now() + 24h,
                                 SteadyPoint(run.now() - SimulatedRun::kBegin)});
  ASSERT_EQ(report->findings.size(), 1U);
  EXPECT_EQ(report->findings[0].kind, FindingKind::Straggler);
  EXPECT_TRUE(report->findings[0].end);
}

TEST(UnbalancedData, IsSaidInsteadOfASlowRank) {
  SimulatedRun run({});
  run.run(60s);
  SimulatedFault fault;
  fault.rank = 4;
  fault.moreTokens = 1.4;
  run.set(fault);
  run.run(40s);
  const RunFinding* found = findingOf(run.report(), FindingKind::UnbalancedData);
  ASSERT_NE(found, nullptr);
  EXPECT_NE(englishOf(found->what).find("rank 4 has 40 % more data"), std::string::npos)
      << englishOf(found->what);
  EXPECT_EQ(findingOf(run.report(), FindingKind::Straggler), nullptr);
}

TEST(StarvedLoader, TellsWhetherCoresAreWanting) {
  SimulatedRun run({});
  run.run(60s);
  SimulatedFault fault;
  fault.waitsForData = 0.6;
  run.set(fault);
  run.run(30s);
  const RunFinding* found = findingOf(run.report(), FindingKind::StarvedLoader);
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->ranks.empty());
  EXPECT_NE(evidenceOf(*found).find("it is the disk or the network"), std::string::npos)
      << evidenceOf(*found);
}

TEST(SlowLink, NamesTheRankOnlyWhereOneStandsOut) {
  for (const bool isOneRank : {false, true}) {
    SimulatedRun run({});
    run.run(60s);
    SimulatedFault fault;
    fault.slowTransfer = 6;
    if (isOneRank) fault.rank = 2;
    run.set(fault);
    run.run(40s);
    const RunFinding* found = findingOf(run.report(), FindingKind::SlowLink);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->ranks, isOneRank ? std::vector{Rank(2)} : std::vector<Rank>());
    EXPECT_EQ(found->unmeasured.empty(), isOneRank);
  }
}

TEST(ThroughputDrop, IsSaidWhereAllRanksBecomeSlower) {
  SimulatedRun run({});
  run.run(90s);
  SimulatedFault fault;
  fault.slowAll = 1.7;
  run.set(fault);
  run.run(40s);
  EXPECT_NE(findingOf(run.report(), FindingKind::ThroughputDrop), nullptr);
}

TEST(NotANumber, NamesTheRankAndTheStep) {
  SimulatedRun run({});
  run.run(60s);
  const Step first = run.step();
  SimulatedFault fault;
  fault.rank = 6;
  fault.isNotANumber = true;
  run.set(fault);
  run.run(8s);
  const RunFinding* found = findingOf(run.report(), FindingKind::NotANumber);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(6)});
  EXPECT_EQ(found->step, first);
}

TEST(NotANumber, OfARankThatEndsWithItIsSeen) {
  SimulatedSetting setting;
  setting.ranks = 3;
  SimulatedRun run(setting);
  run.run(30s);
  MetricSeriesBatch last{std::string(metric::kLoss), Rank(1), {{run.step(), run.now(), std::nan("")}}};
  run.samples().add(last);
  run.facts().stage = RunStage::Failed;
  run.lookNow();
  const RunFinding* found = findingOf(run.report(), FindingKind::NotANumber);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(1)});
}

TEST(LossRise, IsSaidOfALossThatStaysHigh) {
  SimulatedRun run({});
  run.run(120s);
  SimulatedFault fault;
  fault.lossFactor = 3;
  run.set(fault);
  run.run(30s);
  EXPECT_NE(findingOf(run.report(), FindingKind::LossRise), nullptr);
}

TEST(LossSpike, IsANoticeWithItsStep) {
  SimulatedRun run({});
  run.run(120s);
  const Step before = run.step();
  SimulatedFault fault;
  fault.lossFactor = 8;
  run.set(fault);
  run.run(300ms);
  run.set({});
  run.run(6s);
  const RunFinding* found = findingOf(run.report(), FindingKind::LossSpike);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->severity, FindingSeverity::Notice);
  ASSERT_TRUE(found->step);
  EXPECT_GE(*found->step, before);
  EXPECT_LE(*found->step, before + 3);
  EXPECT_EQ(findingOf(run.report(), FindingKind::LossRise), nullptr);
  run.run(40s);
  found = findingOf(run.report(), FindingKind::LossSpike);
  EXPECT_TRUE(found == nullptr || found->end);
}

TEST(Plateau, IsANoticeAfterALongTime) {
  SimulatedSetting setting;
  setting.ranks = 2;
  setting.stepMs = 1500;
  SimulatedRun run(setting);
  run.withoutPauses();
  SimulatedFault fault;
  fault.isLossFlat = true;
  run.set(fault);
  run.run(15min);
  EXPECT_EQ(findingOf(run.report(), FindingKind::Plateau), nullptr);
  run.run(45min);
  const RunFinding* found = findingOf(run.report(), FindingKind::Plateau);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->severity, FindingSeverity::Notice);
}

TEST(MemoryRunsOut, TellsWhenAndWhoseItIs) {
  SimulatedRun run({});
  run.run(90s);
  SimulatedFault fault;
  fault.rank = 3;
  fault.leakPerSecond = 1.5e8;  // of some 50 GB that are left: six minutes
  run.set(fault);
  run.run(30s);
  const RunFinding* found = findingOf(run.report(), FindingKind::MemoryRunsOut);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(3)});
  EXPECT_EQ(found->severity, FindingSeverity::Critical);
  EXPECT_NE(englishOf(found->what).find(" in about 6 min"), std::string::npos) << englishOf(found->what);
}

TEST(DiskRunsFull, IsSaidBeforeItIs) {
  SimulatedRun run({});
  run.run(60s);
  SimulatedFault fault;
  fault.diskPercentPerSecond = 0.2;
  run.set(fault);
  run.run(60s);
  EXPECT_NE(findingOf(run.report(), FindingKind::DiskRunsFull), nullptr);
}

TEST(GpuFindings, IdleThrottledAndFailingOnes) {
  SimulatedSetting setting;
  setting.hasGpu = true;
  SimulatedRun idle(setting);
  SimulatedFault fault;
  fault.gpuPercent = 15;
  idle.set(fault);
  idle.run(40s);
  const RunFinding* found = findingOf(idle.report(), FindingKind::IdleGpu);
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->ranks.empty());
  EXPECT_EQ(found->severity, FindingSeverity::Notice);

  SimulatedRun idleRank(setting);
  fault.rank = 2;
  fault.gpuPercent = 3;
  idleRank.set(fault);
  idleRank.run(40s);
  found = findingOf(idleRank.report(), FindingKind::IdleGpu);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(2)});

  SimulatedRun hot(setting);
  fault = {};
  fault.rank = 1;
  fault.slowClock = 0.6;
  hot.set(fault);
  hot.run(40s);
  found = findingOf(hot.report(), FindingKind::ThrottledGpu);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(1)});
  EXPECT_EQ(englishOf(found->cause), "it is hot, and slows down");

  SimulatedRun failing(setting);
  failing.run(20s);
  fault = {};
  fault.rank = 1;
  fault.eccErrors = 2;
  failing.set(fault);
  failing.run(10s);
  found = findingOf(failing.report(), FindingKind::GpuError);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->severity, FindingSeverity::Critical) << "they have become more";
}

TEST(ClockSkew, IsANoticeWithTheRank) {
  SimulatedRun run({});
  run.clockOf(2, 7s);
  run.run(60s);
  const RunFinding* found = findingOf(run.report(), FindingKind::ClockSkew);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(2)});
  EXPECT_NE(englishOf(found->what).find("is 7 s off"), std::string::npos) << englishOf(found->what);
  EXPECT_EQ(run.report().findings.size(), 1U) << "nobody is silent because of a clock";
}

TEST(Settings, AreLookedThroughForKnownMistakes) {
  RunFacts facts;
  facts.isEnvironmentKnown = true;
  facts.nodes = 2;
  facts.environment = {{"NCCL_SOCKET_IFNAME", "lo"},  {"NCCL_SOCKET_IFRAME", "eth0"},
                       {"CUDA_LAUNCH_BLOCKING", "1"}, {"MASTER_ADDR", "localhost"},
                       {"OMP_NUM_THREADS", "8"},      {"NCCL_DEBUG", "INFO"}};
  MetricStore store = storeWith({{metric::kLoss, 1}}, 2, 10);
  auto report = lookAt(store, facts);
  std::set<std::string> keys;
  for (const RunFinding& one : report->findings) keys.insert(one.key());
  EXPECT_EQ(keys, (std::set<std::string>{"settings NCCL_SOCKET_IFNAME", "settings NCCL_SOCKET_IFRAME",
                                         "settings CUDA_LAUNCH_BLOCKING", "settings MASTER_ADDR"}));
  facts.nodes = 1;
  report = lookAt(store, facts);
  EXPECT_EQ(report->findings.size(), 2U) << "one node has nobody to reach";
  facts.isEnvironmentKnown = false;
  facts.environment.clear();
  EXPECT_TRUE(isUnmeasured(*lookAt(store, facts), FindingKind::Settings));
}

TEST(StalledRun, WithAHeartbeatIsWhatItSays) {
  SimulatedSetting setting;
  setting.hasHeartbeat = true;
  SimulatedRun run(setting);
  run.run(40s);
  SimulatedFault fault;
  fault.rank = 2;
  fault.isFrozen = true;
  run.set(fault);
  run.run(25s);
  const RunFinding* found = findingOf(run.report(), FindingKind::Stall);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->key(), "stall 2 rank-behind");
  EXPECT_NE(englishOf(found->what).find("rank 2 keeps 7 others waiting"), std::string::npos)
      << englishOf(found->what);
  EXPECT_NE(evidenceOf(*found).find("CPU utilization: rank 2"), std::string::npos) << evidenceOf(*found);
  EXPECT_FALSE(found->unmeasured.empty()) << "there is no GPU";
}

TEST(StalledRun, WithoutAHeartbeatTheOddOneIsNamedWithLessConfidence) {
  SimulatedSetting setting;
  SimulatedRun run(setting);
  run.run(40s);
  SimulatedFault fault;
  fault.rank = 2;
  fault.isCpuIdle = true;
  run.set(fault);
  run.stopSteps();
  run.run(40s);
  const RunFinding* found = findingOf(run.report(), FindingKind::Stall);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(2)});
  EXPECT_LT(found->confidence, 0.8);
}

TEST(SilentRank, IsNamedWhileOthersGoOn) {
  SimulatedRun run({});
  run.run(40s);
  SimulatedFault fault;
  fault.rank = 7;
  fault.isSilent = true;
  run.set(fault);
  run.run(30s);
  const RunFinding* found = findingOf(run.report(), FindingKind::SilentRank);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, std::vector{Rank(7)});
  run.set({});
  run.run(20s);
  EXPECT_EQ(findingOf(run.report(), FindingKind::SilentRank), nullptr) << "it is back";
}

}  // namespace
}  // namespace lockstep
