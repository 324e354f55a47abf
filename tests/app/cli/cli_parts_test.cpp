// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <algorithm>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "durations.h"
#include "follow_view.h"
#include "health_view.h"
#include "info_file.h"
#include "interrupt.h"
#include "launch/rehearsal_launch.h"
#include "metrics/run_progress.h"
#include "output.h"
#include "progress_bar.h"
#include "rank_rows.h"
#include "target.h"
#include "temp_dir.h"

#include <signal.h>

using namespace lockstep;
using namespace lockstep::cli;
using namespace std::chrono_literals;

namespace {

TrainingRun threeNodes() {
  TrainingRun run;
  run.id = RunId("cifar-7f3a");
  run.jobId = JobId("ocid1.datasciencejob..j");
  run.workDir = "oci://b@n/w";
  const char* names[] = {"main", "worker: 0", "ps_0"};
  const NodeRole roles[] = {NodeRole::Main, NodeRole::Worker, NodeRole::ParameterServer};
  for (int i = 0; i < 3; ++i) {
    NodeRun node;
    node.id = JobRunId("ocid1.datasciencejobrun..r" + std::to_string(i));
    node.displayName = names[i];
    node.role = roles[i];
    node.nodeRank = i;
    node.state = JobRunState::InProgress;
    run.nodes.push_back(node);
  }
  return run;
}

MetricSeriesBatch samples(std::string_view name, int rank, Step first, int count, double value) {
  MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
  for (int i = 0; i < count; ++i)
    batch.points.push_back({first + i, TimePoint(std::chrono::seconds(i)), value + i});
  return batch;
}

}  // namespace

TEST(Durations, UnitsAndNonsense) {
  EXPECT_EQ(parseDuration("90"), 90s);
  EXPECT_EQ(parseDuration("1.5h"), 90min);
  EXPECT_EQ(parseDuration("30m"), 30min);
  EXPECT_EQ(parseDuration("1d"), 24h);
  for (const char* bad : {"", "h", "-5m", "5 m", "5w", "1e300h", "nan", "inf", "10mm"})
    EXPECT_FALSE(parseDuration(bad)) << bad;
  const TimePoint now = *parseRfc3339("2026-01-01T10:00:00Z");
  EXPECT_EQ(parseSince("10m", now), *parseRfc3339("2026-01-01T09:50:00Z"));
  EXPECT_EQ(parseSince("2025-12-31T00:00:00Z", now), *parseRfc3339("2025-12-31T00:00:00Z"));
  EXPECT_FALSE(isSince("yesterday").empty());
}

TEST(InfoFile, ReadsWhatItWrites) {
  const std::string text = infoText(threeNodes()).value();
  EXPECT_NE(text.find("otherJobRunIds"), std::string::npos);
  const auto info = parseInfo(text, "info.yaml");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->jobId.value, "ocid1.datasciencejob..j");
  EXPECT_EQ(info->workDir, "oci://b@n/w");
}

TEST(InfoFile, SkipsTheBannerThatAdsLeavesInFront) {
  const auto info = parseInfo(
      "......... Initializing the process ........\nStep 1/9 : FROM x: y: z\njobId: j1\nworkDir: w\n", "i");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->jobId.value, "j1");
}

TEST(InfoFile, SaysWhereItIsNoYaml) {
  const auto info = parseInfo("a banner: of: two\nlines\njobId: j1\nworkDir: [w\n", "i");
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().where.substr(0, 4), "i:5:");
}

TEST(InfoFile, ExplainsWhatIsNone) {
  for (const char* text : {"", "hello", "jobId: [1", "jobId: {a: b}", "x: 1\n jobId: y"}) {
    const auto info = parseInfo(text, "info.yaml");
    ASSERT_FALSE(info) << text;
    EXPECT_NE(info.error().what.find("info.yaml"), std::string::npos);
    EXPECT_FALSE(info.error().remedy.empty());
  }
}

TEST(RankRows, OneRowPerRankAndOnePerParameterServer) {
  MetricStore metrics;
  metrics.add(samples(metric::kLoss, 0, 0, 5, 1.0));
  metrics.add(samples(metric::kLoss, 1, 0, 3, 2.0));
  metrics.add(samples(metric::kSamplesPerSecond, 1, 2, 1, 100));
  metrics.add(samples(metric::kTotalSteps, 0, 0, 1, 10));
  const auto rows = rankRows(threeNodes(), metrics);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].step, 4);
  EXPECT_EQ(rows[1].value(metric::kLoss), 4.0);
  EXPECT_EQ(rows[1].node, "worker: 0");
  EXPECT_FALSE(rows[2].rank);
  EXPECT_FALSE(rows[0].value(metric::kGpuPercent));
  EXPECT_EQ(totalRate(rows), 100.0);
  EXPECT_EQ(meanLoss(rows), 4.5);
  const StepProgress progress = stepProgress(metrics);
  EXPECT_EQ(progress.step, 3);  // of the slowest
  EXPECT_EQ(progress.total, 10);
  EXPECT_DOUBLE_EQ(progress.fraction().value_or(-1), 0.3);
  EXPECT_TRUE(toJson(rows[2]).at("rank").is_null());
}

TEST(RankRows, ColumnsAndKeysAreThoseOfTheTable) {
  MetricStore metrics;
  metrics.add(samples(metric::kLoss, 0, 0, 1, 2.0));
  metrics.add(samples(metric::kSamplesPerSecond, 0, 0, 1, 100.5));
  metrics.add(samples(metric::kGpuPercent, 0, 0, 1, 97));
  const auto rows = rankRows(threeNodes(), metrics);
  std::istringstream table(rankTable(rows));
  std::string head, first;
  std::getline(table, head);
  std::getline(table, first);
  const auto squeezed = [](const std::string& line) {
    return std::regex_replace(line, std::regex(" +"), " ");
  };
  EXPECT_NE(squeezed(head).find("RANK STATE NODE STEPS LOSS SAMPLES/S ACCURACY % GPU % CPU %"),
            std::string::npos)
      << head;
  EXPECT_NE(squeezed(first).find(" 1 2.0000 100.5 - 97 -"), std::string::npos) << first;
  const nlohmann::json row = toJson(rows[0]);
  std::set<std::string> keys;
  for (const auto& [key, value] : row.items()) keys.insert(key);
  EXPECT_EQ(keys, (std::set<std::string>{"rank", "state", "node", "step", "loss", "samplesPerSecond",
                                         "accuracyPercent", "gpuPercent", "cpuPercent", "memoryBytes"}));
  EXPECT_TRUE(row.at("memoryBytes").is_null());
}

TEST(RankRows, SeveralRanksOnANode) {
  MetricStore metrics;
  for (int rank = 0; rank < 4; ++rank) metrics.add(samples(metric::kLoss, rank, 0, 1, rank));
  TrainingRun run = threeNodes();
  run.nodes.pop_back();
  const auto rows = rankRows(run, metrics);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1].node, "main");
  EXPECT_EQ(rows[2].node, "worker: 0");
}

TEST(RankRows, ANumberThatNoClusterReachesMakesOneRowAndNotAsMany) {
  MetricStore metrics;
  for (const int rank : {0, 1, 30'000'000, 2'000'000'000})
    metrics.add(samples(metric::kLoss, rank, 0, 1, rank));
  const auto rows = rankRows(threeNodes(), metrics);
  ASSERT_EQ(rows.size(), 5u) << "two workers, a parameter server, and the two strangers";
  EXPECT_EQ(rows[1].node, "worker: 0");
  EXPECT_EQ(rows[1].rank, Rank(1));
  const auto strangers =
      std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.node.empty(); });
  EXPECT_EQ(strangers, 2) << "they belong to no node";
}

TEST(RankRows, StepsBeyondEveryBoundAreNoOverflow) {
  MetricStore metrics;
  metrics.add({std::string(metric::kLoss), Rank(0), {{std::numeric_limits<Step>::max(), {}, 1}}});
  for (const double total : {1e300, std::numeric_limits<double>::quiet_NaN(), -1.0})
    metrics.add({std::string(metric::kTotalSteps), Rank(0), {{1, {}, total}}});
  EXPECT_FALSE(stepProgress(metrics).total);
  EXPECT_GT(stepProgress(metrics).step, 0);
  EXPECT_FALSE(rankTable(rankRows(threeNodes(), metrics)).empty());
}

TEST(RankRows, WithoutAnySample) {
  EXPECT_EQ(rankRows(threeNodes(), {}).size(), 3u);
  EXPECT_FALSE(stepProgress({}).fraction()) << "nobody measured how far it is";
}

TEST(ProgressBarText, StaysWithinItsWidth) {
  EXPECT_EQ(barText(0.5, "x", 80), "[###############...............]  50% x");
  EXPECT_EQ(barText(7, "x", 80).substr(0, 37), "[##############################] 100%");
  EXPECT_EQ(barText(0, std::string(500, 'y'), 40).size(), 40u);
  EXPECT_EQ(barText(std::nullopt, std::string(500, 'y'), 40).size(), 40u);
}

TEST(ProgressBarText, IsTheTextAloneWhereNobodyKnowsHowMuchThereIs) {
  EXPECT_EQ(barText(std::nullopt, "WAITING 0:02", 80), "WAITING 0:02");
}

TEST(TableText, ColumnsLineUpAndNumbersStandRight) {
  chooseColors("never");
  Table table({"NAME", "N"});
  table.add({"größe", "7"});
  table.add({"x", "1234"});
  EXPECT_EQ(table.text(), "NAME   N\ngröße     7\nx      1234\n");
}

TEST(LineText, NamesNodeAndRank) {
  LogLine line;
  line.time = *parseRfc3339("2026-01-01T10:20:30.045Z");
  line.node = "worker_0";
  line.text = "hello";
  EXPECT_EQ(lineText(line), "10:20:30.045 worker_0 hello");
  line.rank = Rank(3);
  EXPECT_EQ(lineText(line), "10:20:30.045 worker_0 [3] hello");
}

TEST(ExitCodes, TellWellRefusedAndCancelledApart) {
  EXPECT_EQ(exitCodeOf(RunState::Succeeded), kDone);
  EXPECT_EQ(exitCodeOf(RunState::Failed), kNotWell);
  EXPECT_EQ(exitCodeOf(RunState::Canceled), kCancelled);
  Error error;
  error.code = ErrorCode::NotFound;
  EXPECT_EQ(exitCodeOf(error), kNotWell);
  error.service = ServiceAnswer{"Data Science", "GetJob", 404, "NotAuthorizedOrNotFound", "id"};
  EXPECT_EQ(exitCodeOf(error), kRefused);
  error.code = ErrorCode::Cancelled;
  EXPECT_EQ(exitCodeOf(error), kCancelled);
}

TEST(MovedToRehearsal, ListsWhatItReplacesAndKeepsTheRegionsOwn) {
  RehearsalInfo region;
  region.places = {"C", "P", "S", "G", "L", "oci://lockstep@rehearsal/runs"};
  Plan plan;
  plan.workDir = "oci://lockstep@rehearsal/mine";
  plan.requests.push_back({"CreateJob",
                           {{"compartmentId", "C"},
                            {"projectId", "P"},
                            {"jobInfrastructureConfigurationDetails", {{"subnetId", "S"}}},
                            {"jobLogConfigurationDetails", {{"logGroupId", "G"}, {"logId", "L"}}}}});
  MovedPlan moved = movedToRehearsal(plan, region);
  EXPECT_TRUE(moved.replaced.empty());
  EXPECT_EQ(moved.plan.workDir, "oci://lockstep@rehearsal/mine");
  plan.requests[0].body["compartmentId"] = "theirs";
  moved = movedToRehearsal(plan, region);
  ASSERT_EQ(moved.replaced.size(), 1u);
  EXPECT_EQ(moved.replaced[0].from, "theirs");
  EXPECT_EQ(moved.plan.requests[0].body["compartmentId"], "C");
  EXPECT_EQ(moved.plan.workDir, "oci://lockstep@rehearsal/mine");
}

TEST(InterruptGuard, TurnsASignalIntoAStopAndIgnoresTheNext) {
  {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.happened());
    ::raise(SIGINT);
    ::raise(SIGINT);
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (!interrupt.happened() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(1ms);
    EXPECT_TRUE(interrupt.happened());
  }
  ::raise(SIGINT);  // while the command says its last words
}

TEST(HealthView, SaysWhatEachRankDoesAndWhoHoldsTheOthersUp) {
  const SteadyPoint now(1000s);
  RunHealth health;
  const auto heartbeat = parseHeartbeat(R"({"time":"2026-11-22T10:00:30Z","ranks":[
    {"rank":0,"activity":"waiting for peers","step":17,"collectives":118,"since":"2026-11-22T10:00:10Z"},
    {"rank":1,"host":"vm-2","pid":47,"activity":"data","step":17,"collectives":117,"since":"2026-11-22T10:00:10Z"}],
    "waitingFor":[1]})");
  ASSERT_TRUE(heartbeat);
  health.heartbeat = *heartbeat;
  health.heard = now;
  NodeFindings node{0,  "main", "10.0.0.2", {{1, "worker: 0", "10.0.0.3", 4711, false, {}, "timed out"}},
                    {}, {}};
  health.nodes.push_back(node);

  const auto phases = phaseTexts(health, RunStage::Running);
  EXPECT_EQ(phases.at(Rank(0)), "waiting for peers in collective 118, 20 s");
  EXPECT_EQ(phaseTexts(health, RunStage::Failed).at(Rank(1)), "at last: data at step 17")
      << "no time goes on";
  EXPECT_TRUE(phaseTexts(health, RunStage::Over).empty()) << "its ranks do nothing any more";
  const std::string table = rankTable(rankRows(threeNodes(), {}), phases);
  EXPECT_NE(table.find("DOING"), std::string::npos);
  EXPECT_NE(table.find("data at step 17, 20 s"), std::string::npos) << table;
  EXPECT_EQ(rankTable(rankRows(threeNodes(), {})).find("DOING"), std::string::npos);

  const auto json = toJson(health, RunStage::Running, now + 4s);
  EXPECT_EQ(json["heartbeat"]["ranks"][1]["phase"], "data");
  EXPECT_EQ(json["heartbeat"]["ranks"][1]["forSeconds"], 20.0);
  EXPECT_EQ(json["heartbeat"]["ageSeconds"], 4.0);
  EXPECT_EQ(json["reach"]["links"][0]["state"], "not-this-way");
  EXPECT_EQ(json["reach"]["nodes"][1]["tookPart"], false);
  EXPECT_EQ(json["findings"][0]["code"], "rank-behind");
  EXPECT_EQ(json["findings"][1]["code"], "node-unreachable");
  EXPECT_EQ(toJson(RunHealth(), RunStage::Running, now)["heartbeat"], nullptr);
}

TEST(FindingNews, EachIsToldOnceAndWhenItIsOver) {
  const SteadyPoint now(1000s);
  RunHealth health;
  health.heartbeat = *parseHeartbeat(R"({"time":"2026-11-22T10:00:30Z","ranks":[
    {"rank":0,"activity":"waiting for peers","collectives":118,"since":"2026-11-22T10:00:25Z"},
    {"rank":1,"activity":"data","collectives":117,"since":"2026-11-22T10:00:25Z"}],"waitingFor":[1]})");
  health.heard = now;
  FindingNews news;
  EXPECT_TRUE(news.take(health, RunStage::Running, now).begun.empty());
  health.heartbeat->time += 12s;
  EXPECT_EQ(news.take(health, RunStage::Running, now + 12s).begun.size(), 1u);
  health.heartbeat->time += 1s;
  EXPECT_TRUE(news.take(health, RunStage::Running, now + 13s).begun.empty())
      << "another number of seconds is no other finding";
  health.heartbeat->waitingFor.clear();
  const auto over = news.take(health, RunStage::Running, now + 14s).over;
  ASSERT_EQ(over.size(), 1u);
  EXPECT_EQ(over[0].code, "rank-behind");
}
