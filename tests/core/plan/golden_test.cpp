// SPDX-License-Identifier: GPL-3.0-or-later
// Every folder of tests/data/train_yaml: in.yaml, the issues that it must raise, and, unless it must be
// refused, the requests that it must be planned into. plan.json was computed by another program from the same
// contract.
//
// After a check was added or reworded, LOCKSTEP_UPDATE_GOLDENS=1 in the environment makes this program write
// every issues.txt anew (and nothing else): look at the difference before it is committed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/atomic_file.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> goldenCases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / "train_yaml")) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string contentOf(const fs::path& path) {
  return readFile(path).value_or("(no file " + path.string() + ")");
}

std::string listed(const std::vector<Issue>& issues) {
  std::string text;
  for (const Issue& issue : issues) {
    text += describe(issue, "in.yaml") + "\n";
    text += fmt::format("  [{}] {}\n", issue.code, issue.field.toString());
    if (issue.fix) text += fmt::format("  fix: {}\n", issue.fix->title);
  }
  return text;
}

class Golden : public testing::TestWithParam<std::string> {
 protected:
  fs::path folder_ = fs::path(LOCKSTEP_TEST_DATA) / "train_yaml" / GetParam();
  ClusterDocument document_{contentOf(folder_ / "in.yaml")};
};

TEST_P(Golden, RaisesTheseIssues) {
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
    ASSERT_TRUE(writeFileAtomically(folder_ / "issues.txt", listed(document_.issues())));
  }
  EXPECT_EQ(listed(document_.issues()), contentOf(folder_ / "issues.txt"));
}

TEST_P(Golden, EveryIssueHasAPlaceAndAMessage) {
  for (const Issue& issue : document_.issues()) {
    EXPECT_GT(issue.place.line, 0) << issue.code;
    EXPECT_GT(issue.place.column, 0) << issue.code;
    EXPECT_FALSE(issue.message.empty()) << issue.code;
  }
}

TEST_P(Golden, IsPlannedAsTheContractSays) {
  PlanOptions options;
  options.generatedName = "brisk-otter";
  options.now = std::chrono::sys_days(std::chrono::year(2026) / 11 / 5) + std::chrono::hours(7);
  const auto plan = makePlan(document_, options);
  if (!fs::exists(folder_ / "plan.json")) {
    ASSERT_FALSE(plan) << "this file must be refused";
    EXPECT_FALSE(plan.error().what.empty());
    EXPECT_FALSE(plan.error().cause.empty());
    return;
  }
  ASSERT_TRUE(plan) << describe(plan.error());
  const auto expected = nlohmann::ordered_json::parse(contentOf(folder_ / "plan.json"));
  EXPECT_EQ(toJson(*plan)["requests"].dump(1), expected.dump(1));  // as text: the order counts too
}

INSTANTIATE_TEST_SUITE_P(TrainYaml, Golden, testing::ValuesIn(goldenCases()),
                         [](const auto& test) { return test.param; });

TEST(Golden, ThereAreEnoughOfThem) {
  EXPECT_GE(goldenCases().size(), 150U);
}

}  // namespace
}  // namespace lockstep
