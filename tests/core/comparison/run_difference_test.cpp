// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/run_difference.h"

#include <gtest/gtest.h>

using namespace lockstep;

namespace {

ComparedRun runWith(const std::string& id, const std::string& args, const std::string& env) {
  ComparedRun run;
  run.run.id = RunId(id);
  run.run.name = "cifar";
  run.run.profile = "TEAM";
  run.run.trainYaml =
      "spec:\n  infrastructure: {spec: {shapeName: VM.GPU.A10.1}}\n  cluster: {kind: PYTORCH, spec: {image: "
      "'a/b:1', config: {env: [" +
      env + "]}}}\n  runtime: {spec: {entryPoint: t.py, args: [" + args + "]}}\n";
  return run;
}

std::string textOf(const std::vector<DifferenceRow>& rows) {
  std::string text;
  for (const DifferenceRow& row : rows) {
    text += std::string(toString(row.area)) + " " + row.name + ":";
    for (const auto& value : row.values) text += " " + value.value_or("-");
    text += "\n";
  }
  return text;
}

}  // namespace

TEST(RunDifference, TheSameHasNone) {
  const ComparedRun run = runWith("a", "'--lr', '1'", "{name: A, value: b}");
  EXPECT_TRUE(differencesOf({run, run, run}).empty());
  EXPECT_EQ(trainYamlDifference(run, run), "");
}

TEST(RunDifference, OnlyWhatDiffersIsListedByArea) {
  ComparedRun a = runWith("a", "'--lr', '0.1', '--amp', '--seed=1'", "{name: NCCL_DEBUG, value: WARN}");
  ComparedRun b = runWith("b", "'--lr', '0.01', '--seed=1', 'data'", "{name: NCCL_DEBUG, value: INFO}");
  b.run.image = "a/b:2";
  a.run.code = {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "main", false, 0, "", true};
  b.run.profile = "OTHER";
  EXPECT_EQ(textOf(differencesOf({a, b})),
            "arguments --lr: 0.1 0.01\n"
            "arguments --amp: (set) -\n"
            "arguments argument 1: - data\n"
            "environment NCCL_DEBUG: WARN INFO\n"
            "image image: a/b:1 a/b:2\n"
            "code commit: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa -\n"
            "code branch: main -\n"
            "cluster profile: TEAM OTHER\n");
  EXPECT_NE(trainYamlDifference(a, b).find("--- a/train.yaml"), std::string::npos);
}

TEST(RunDifference, OfSecretsOnlyIsToldWhoHasTheSame) {
  const ComparedRun a = runWith("a", "", "{name: API_TOKEN, value: hunter2}");
  const ComparedRun b = runWith("b", "", "{name: API_TOKEN, value: swordfish}");
  const std::string text = textOf(differencesOf({a, b, a}));
  EXPECT_EQ(text, "environment API_TOKEN: (secret A) (secret B) (secret A)\n");
}

TEST(RunDifference, DirtyTreesDifferByWhatIsInThem) {
  ComparedRun a = runWith("a", "", ""), b = runWith("b", "", "");
  a.run.code = b.run.code = {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "", true, 0, "", true};
  a.codeDifference = "+x\n";
  b.codeDifference = "+x\n";
  EXPECT_TRUE(differencesOf({a, b}).empty());
  b.codeDifference = "+y\n";
  const auto rows = differencesOf({a, b});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows.front().area, DifferenceArea::Code);
  EXPECT_NE(rows.front().values[0], rows.front().values[1]);
}

TEST(RunDifference, ATextThatIsNoYamlIsNoDifferenceInIt) {
  ComparedRun a = runWith("a", "'--lr', '1'", ""), b;
  b.run.id = RunId("b");
  b.run.profile = "TEAM";
  b.run.trainYaml = "a: [";
  EXPECT_FALSE(differencesOf({a, b}).empty());  // and nothing breaks
}
