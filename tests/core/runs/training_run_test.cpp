// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/training_run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/time_text.h"

using namespace lockstep;
using enum JobRunState;

namespace {

struct StateCase {
  std::vector<JobRunState> nodes;
  bool launchComplete;
  bool cancelRequested;
  std::string failure;
  RunState expected;
};

TrainingRun runOf(const StateCase& c) {
  TrainingRun run;
  run.id = RunId("r-1");
  run.launchComplete = c.launchComplete;
  run.cancelRequested = c.cancelRequested;
  run.failure = c.failure;
  for (const JobRunState state : c.nodes) {
    NodeRun node;
    node.id = JobRunId("ocid1.datasciencejobrun.." + std::to_string(run.nodes.size()));
    node.state = state;
    run.nodes.push_back(node);
  }
  return run;
}

const std::vector<StateCase> kCases{
    {{}, false, false, "", RunState::Launching},
    {{}, false, true, "", RunState::Canceled},
    {{}, false, false, "quota", RunState::Failed},
    {{Accepted}, false, false, "", RunState::Launching},
    {{InProgress, Accepted}, false, false, "", RunState::Launching},
    {{Accepted, Accepted}, true, false, "", RunState::Waiting},
    {{InProgress, Accepted}, true, false, "", RunState::Running},
    {{Succeeded, Accepted}, true, false, "", RunState::Running},
    {{InProgress, NeedsAttention}, true, false, "", RunState::Running},
    {{InProgress, Unknown}, true, false, "", RunState::Running},
    {{InProgress, InProgress}, true, true, "", RunState::Stopping},
    {{Canceling, InProgress}, true, false, "", RunState::Stopping},
    {{Canceled, Canceled}, true, true, "", RunState::Canceled},
    {{Canceled, Failed}, true, true, "", RunState::Canceled},  // it failed because its peer was cancelled
    {{Canceled, Failed}, true, true, "rank 1 died", RunState::Failed},
    {{Canceled, Succeeded}, true, false, "", RunState::Canceled},  // cancelled in the console
    {{Deleted, Succeeded}, true, false, "", RunState::Canceled},
    {{Succeeded, Succeeded}, true, false, "", RunState::Succeeded},
    {{Failed, InProgress}, true, false, "", RunState::Failed},
    {{Failed, Failed}, true, false, "", RunState::Failed},
};

}  // namespace

TEST(TrainingRunState, FollowsTheRules) {
  for (const StateCase& c : kCases) {
    SCOPED_TRACE(toJson(runOf(c)).dump());
    EXPECT_STREQ(toString(stateOf(runOf(c))), toString(c.expected));
  }
}

TEST(TrainingRunState, WordsOfTheServiceRoundTripAndOthersAreUnknown) {
  for (const JobRunState state :
       {Accepted, InProgress, Failed, Succeeded, Canceling, Canceled, Deleted, NeedsAttention}) {
    EXPECT_EQ(jobRunStateNamed(toString(state)), state);
  }
  EXPECT_EQ(jobRunStateNamed("HIBERNATING"), Unknown);
  EXPECT_FALSE(isTerminal(Unknown));
  EXPECT_FALSE(isTerminal(NeedsAttention));
}

TEST(TrainingRunState, AFailedRunMayStillHaveNodesThatRun) {
  EXPECT_FALSE(allNodesEnded(runOf({{Failed, InProgress}, true, false, "", RunState::Failed})));
  EXPECT_TRUE(allNodesEnded(runOf({{Failed, Canceled}, true, false, "", RunState::Failed})));
}

TEST(TrainingRunJson, KeepsEverything) {
  TrainingRun run = runOf({{Succeeded, Failed}, true, true, "rank 1 died: \"x\"", RunState::Failed});
  run.name = "größe ☕";
  run.jobId = JobId("ocid1.datasciencejob..a");
  run.jobRetryToken = "t0";
  run.created = *parseRfc3339("2026-01-02T03:04:05.678Z");
  run.finished = *parseRfc3339("2026-01-02T04:04:05Z");
  run.nodes[1].role = NodeRole::Worker;
  run.nodes[1].details = "exit code 3";
  run.nodes[1].started = run.created;
  run.nodes[1].retryToken = "t2";
  run.trainFile = "/home/me/train.yaml";
  run.codeFolder = "/home/me/code";
  run.image = "iad.ocir.io/t/i:1";
  const auto again = trainingRunFrom(toJson(run));
  ASSERT_TRUE(again);
  EXPECT_EQ(toJson(*again), toJson(run));
  EXPECT_EQ(again->nodes[1].retryToken, "t2");
  EXPECT_EQ(again->trainFile, "/home/me/train.yaml");
  EXPECT_EQ(again->codeFolder, "/home/me/code");
  EXPECT_EQ(again->image, "iad.ocir.io/t/i:1");
}

TEST(TrainingRunJson, WhoseEndNobodySawStaysSo) {
  TrainingRun run;
  run.id = RunId("r");
  run.launchComplete = true;
  run.nodes.resize(1);
  run.nodes[0].id = JobRunId("n");
  run.nodes[0].state = JobRunState::Silent;
  const auto read = trainingRunFrom(toJson(run));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->nodes[0].state, JobRunState::Silent);
  EXPECT_EQ(stateOf(*read), RunState::Silent);
}

TEST(TrainingRunJson, RefusesWhatIsNoRun) {
  for (const char* text :
       {"{}", "[]", "null", R"({"id":"a"})", R"({"id":7,"nodes":[]})", R"({"id":"a","nodes":[1]})"}) {
    EXPECT_FALSE(trainingRunFrom(nlohmann::json::parse(text))) << text;
  }
}

TEST(TrainingRunJson, RefusesNumbersThatNoNodeHas) {
  const TrainingRun run = runOf({{Succeeded}, true, false, "", RunState::Succeeded});
  for (const char* key : {"nodeRank", "nodes"}) {
    for (const char* number : {"1e300", "-1e300", "-1", "70000", "0.5", "18446744073709551615", "\"1\""}) {
      nlohmann::json json = toJson(run);
      json["nodes"][0][key] = nlohmann::json::parse(number);
      const auto read = trainingRunFrom(json);
      ASSERT_FALSE(read) << key << " " << number;
      EXPECT_NE(read.error().cause.find(key), std::string::npos) << read.error().cause;
    }
    nlohmann::json older = toJson(run);
    older["nodes"][0].erase(key);
    EXPECT_TRUE(trainingRunFrom(older)) << key;
  }
}

TEST(MergedRun, NeverForgetsWhatEitherSideLearned) {
  const TrainingRun fresh = runOf({{InProgress, Accepted}, true, false, "", RunState::Running});
  TrainingRun learned = fresh;
  learned.cancelRequested = true;
  learned.nodes[0].state = Canceled;
  learned.nodes[0].details = "cancelled by the user";
  learned.failure = "rank 1 died";
  TrainingRun stale = fresh;
  stale.nodes[1].state = InProgress;
  stale.nodes[0].id = {};
  const TrainingRun both = mergedRun(learned, stale);
  EXPECT_TRUE(both.cancelRequested);
  EXPECT_EQ(both.failure, "rank 1 died");
  EXPECT_EQ(both.nodes[0].state, Canceled);
  EXPECT_EQ(both.nodes[0].details, "cancelled by the user");
  EXPECT_EQ(both.nodes[0].id, fresh.nodes[0].id);
  EXPECT_EQ(both.nodes[1].state, InProgress);
}
