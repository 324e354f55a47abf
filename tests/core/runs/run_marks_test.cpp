// SPDX-License-Identifier: GPL-3.0-or-later
// What people say about runs, what runs came to, sweeps and summaries: schema 2 of the run store.
#include <gtest/gtest.h>

#include <thread>

#include "runs/run_store.h"
#include "temp_dir.h"

using namespace lockstep;

namespace {

TrainingRun runNamed(const std::string& id) {
  TrainingRun run;
  run.id = RunId(id);
  run.name = id;
  run.created = TimePoint(std::chrono::seconds(1'800'000'000));
  run.trainYaml = "kind: distributed\n";
  run.profile = "TEAM";
  run.image = "a/b:1";
  run.launchComplete = true;
  NodeRun node;
  node.id = JobRunId("run-of-" + id);
  node.state = JobRunState::InProgress;
  node.nodes = 3;
  node.started = run.created + std::chrono::minutes(1);
  run.nodes = {node};
  return run;
}

struct RunMarksTest : testing::Test {
  TempDir dir;
  RunStore store = opened();
  RunStore opened() { return *RunStore::open(dir.path() / "runs.sqlite"); }
  RunSummary only() {
    const auto all = store.summaries();
    EXPECT_TRUE(all);
    EXPECT_EQ(all->size(), 1u);
    return all->front();
  }
};

}  // namespace

TEST_F(RunMarksTest, TheSummarySaysWhatTheRunSays) {
  TrainingRun run = runNamed("a");
  run.code = {"0123456789abcdef0123456789abcdef01234567", "main", true, 2, "- x\n+ y\n", true};
  ASSERT_TRUE(store.save(run));
  RunSummary expected = summaryOf(run);
  EXPECT_EQ(only(), expected);
  EXPECT_EQ(expected.nodes, 3);
  EXPECT_EQ(expected.jobRuns, 1);
  EXPECT_EQ(expected.state, RunState::Running);
  EXPECT_EQ(expected.nodeTime.live, 3);
  EXPECT_EQ(expected.nodeTime.liveSince, *run.nodes[0].started);
  run.nodes[0].state = JobRunState::Succeeded;
  run.nodes[0].finished = *run.nodes[0].started + std::chrono::minutes(5);
  run.finished = run.nodes[0].finished;
  ASSERT_TRUE(store.save(run));
  EXPECT_EQ(only().state, RunState::Succeeded);
  EXPECT_EQ(only().nodeTime.ended, std::chrono::minutes(15));
  EXPECT_EQ(only().finished, run.finished);
}

TEST_F(RunMarksTest, MarksStayWhateverIsSavedOfTheRun) {
  ASSERT_TRUE(store.save(runNamed("a")));
  const auto marks = store.changeMarks(RunId("a"), [](RunMarks& m) {
    m.tags = {"b", "a", "b"};
    m.note = "good";
    m.group = "first";
    m.isPinned = m.isArchived = true;
  });
  ASSERT_TRUE(marks);
  const RunMarks expected{{"a", "b"}, "good", "first", true, true};
  EXPECT_EQ(*marks, expected);
  ASSERT_TRUE(store.save(runNamed("a")));
  EXPECT_EQ(only().marks, expected);
  EXPECT_EQ(*store.marks(RunId("a")), expected);
  EXPECT_EQ(*opened().marks(RunId("a")), expected);
  EXPECT_EQ(store.changeMarks(RunId("b"), [](RunMarks&) {}).error().code, ErrorCode::NotFound);
}

TEST_F(RunMarksTest, SeveralAddTagsAtOnceAndNoneIsLost) {
  ASSERT_TRUE(store.save(runNamed("a")));
  std::vector<std::thread> threads;
  for (int writer = 0; writer < 4; ++writer)
    threads.emplace_back([this, writer] {
      RunStore own = opened();  // as another process has one
      for (int i = 0; i < 10; ++i)
        EXPECT_TRUE(own.changeMarks(RunId("a"), [&](RunMarks& m) {
          m.tags.push_back(std::to_string(writer) + "-" + std::to_string(i));
        }));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store.marks(RunId("a"))->tags.size(), 40u);
}

TEST_F(RunMarksTest, ResultsAndPriceAreOfTheRunAndGoWithIt) {
  ASSERT_TRUE(store.save(runNamed("a")));
  const std::vector<RunResult> results{{"a", 1.5, 10, 1.25, 8, 1.4, 0.1}, {"b", 2, 10, {}, 0, {}, {}}};
  ASSERT_TRUE(store.keepResults(RunId("a"), results));
  ASSERT_TRUE(store.keepPrice(RunId("a"), 3.5, "USD"));
  EXPECT_EQ(only().results, results);
  EXPECT_EQ(*store.results(RunId("a")), results);
  EXPECT_EQ(only().perHour, 3.5);
  EXPECT_EQ(only().currency, "USD");
  EXPECT_TRUE(only().isPriced);
  ASSERT_TRUE(store.save(runNamed("a")));
  EXPECT_EQ(only().perHour, 3.5);
  ASSERT_TRUE(store.keepResults(RunId("a"), {{"a", 1, 20, 1, 20, {}, {}}}));
  EXPECT_EQ(store.results(RunId("a"))->size(), 2u);
  EXPECT_EQ(resultNamed(*store.results(RunId("a")), "a")->last, 1);
  ASSERT_TRUE(store.remove(RunId("a")));
  EXPECT_TRUE(store.summaries()->empty());
  ASSERT_TRUE(store.save(runNamed("a")));
  EXPECT_TRUE(only().results.empty());
  EXPECT_FALSE(only().isPriced);
  EXPECT_EQ(store.keepResults(RunId("b"), results).error().code, ErrorCode::NotFound);
}

TEST_F(RunMarksTest, TheCodeOfALaunchDoesNotChangeAfterwards) {
  TrainingRun run = runNamed("a");
  run.code = {"0123456789abcdef0123456789abcdef01234567", "main", true, 0, "- x\n+ y\n", true};
  ASSERT_TRUE(store.save(run));
  run.code = {};  // somebody who does not know it
  ASSERT_TRUE(store.save(run));
  run.code = {"ffffffffffffffffffffffffffffffffffffffff", "", false, 0, "", true};
  ASSERT_TRUE(store.save(run));
  EXPECT_EQ(store.find("a")->code.commit, "0123456789abcdef0123456789abcdef01234567");
  EXPECT_TRUE(store.find("a")->code.isDirty);
  EXPECT_EQ(*store.difference(RunId("a")), "- x\n+ y\n");
  EXPECT_EQ(*store.difference(RunId("b")), "");
}

TEST_F(RunMarksTest, RunsOfASweepAreFoundInTheOrderOfTheirPointsAndMakeAGroup) {
  for (int point : {2, 0, 1}) {
    TrainingRun run = runNamed("s" + std::to_string(point));
    run.sweep = "lr";
    run.sweepPoint = point;
    ASSERT_TRUE(store.save(run));
  }
  ASSERT_TRUE(store.save(runNamed("other")));
  const auto runs = store.runsOfSweep("lr");
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ((*runs)[static_cast<std::size_t>(i)].sweepPoint, i);
  EXPECT_EQ(store.marks(RunId("s1"))->group, "lr");
  ASSERT_TRUE(store.changeMarks(RunId("s1"), [](RunMarks& m) { m.group = "mine"; }));
  ASSERT_TRUE(store.save(runs->at(1)));
  EXPECT_EQ(store.marks(RunId("s1"))->group, "mine");
  EXPECT_EQ(store.runsOfSweep("lr")->size(), 3u);
  EXPECT_TRUE(store.runsOfSweep("")->empty());
}

TEST_F(RunMarksTest, ASweepIsKeptOnceAndWorkedOnByOne) {
  EXPECT_FALSE(store.keptSweep("lr")->has_value());
  ASSERT_TRUE(store.keepSweep("lr", "{}", TimePoint{}));
  EXPECT_EQ(store.keepSweep("lr", "{1}", TimePoint{}).error().code, ErrorCode::AlreadyExists);
  EXPECT_EQ(**store.keptSweep("lr"), "{}");
  auto mark = store.markSweeping("lr/../x");
  ASSERT_TRUE(mark);
  EXPECT_EQ(opened().markSweeping("lr/../x").error().code, ErrorCode::FailedPrecondition);
  mark->reset();
  EXPECT_TRUE(opened().markSweeping("lr/../x"));
}

TEST_F(RunMarksTest, KnowsWhetherThereIsARun) {
  ASSERT_TRUE(store.save(runNamed("a")));
  EXPECT_TRUE(*store.has(RunId("a")));
  EXPECT_FALSE(*store.has(RunId("b")));
}

TEST(RunSummary, NewStateKeepsWhatPeopleSaid) {
  RunSummary summary = summaryOf(runNamed("a"));
  summary.marks.note = "n";
  summary.results = {{"a", 1, 1, {}, 0, {}, {}}};
  summary.isPriced = true;
  summary.perHour = 2;
  TrainingRun ended = runNamed("a");
  ended.nodes[0].state = JobRunState::Failed;
  const RunSummary now = withNewState(summary, ended);
  EXPECT_EQ(now.state, RunState::Failed);
  EXPECT_EQ(now.marks, summary.marks);
  EXPECT_EQ(now.results, summary.results);
  EXPECT_EQ(now.perHour, 2);
}
