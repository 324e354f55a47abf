// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/relaunch.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "temp_dir.h"

using namespace lockstep;

namespace {

TrainingRun oldRun() {
  TrainingRun run;
  run.id = RunId("cifar-1a2b");
  run.name = "cifar";
  run.trainYaml = "spec:\n  cluster: {spec: {image: '@image'}}\n  runtime: {spec: {args: ['--lr', '0.1']}}\n";
  run.trainFile = "/home/ann/train.yaml";
  run.codeFolder = "/home/ann/code";
  run.image = "a/b:1";
  return run;
}

}  // namespace

TEST(Relaunch, WithoutChangesItIsTheSame) {
  const auto again = planRelaunch(oldRun(), {});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->document.text(), oldRun().trainYaml);
  EXPECT_EQ(again->difference, "");
  EXPECT_EQ(again->input.file, "/home/ann/train.yaml");
  EXPECT_EQ(again->input.codeFolder, "/home/ann/code");
  EXPECT_EQ(again->input.image, "a/b:1");
  EXPECT_EQ(again->input.name, "cifar");
}

TEST(Relaunch, ChangesAreShownAsADifference) {
  const std::vector<LaunchChange> changes{{"arg.lr", "0.01"}, {"image", "a/b:2"}};
  const auto again = planRelaunch(oldRun(), changes);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->input.image, "a/b:2");
  EXPECT_NE(again->difference.find("-image: a/b:1\n+image: a/b:2\n"), std::string::npos) << again->difference;
  EXPECT_NE(again->difference.find("+  runtime: {spec: {args: ['--lr', '0.01']}}"), std::string::npos)
      << again->difference;
  EXPECT_NE(again->document.text().find("'@image'"), std::string::npos);
}

TEST(Relaunch, ARunWhoseTextIsNotKnownIsRefused) {
  TrainingRun run = oldRun();
  run.trainYaml.clear();
  EXPECT_EQ(planRelaunch(run, {}).error().code, ErrorCode::FailedPrecondition);
}

TEST(Relaunch, TellsWhatHasBecomeOfTheFile) {
  const TempDir dir;
  TrainingRun run = oldRun();
  run.trainFile = (dir.path() / "train.yaml").string();
  EXPECT_EQ(trainFileNow(run), TrainFileNow::Gone);
  ASSERT_TRUE(writeFileAtomically(run.trainFile, run.trainYaml));
  EXPECT_EQ(trainFileNow(run), TrainFileNow::AsItWas);
  ASSERT_TRUE(writeFileAtomically(run.trainFile, "other"));
  EXPECT_EQ(trainFileNow(run), TrainFileNow::Changed);
  run.trainFile.clear();
  EXPECT_EQ(trainFileNow(run), TrainFileNow::Unknown);
}
