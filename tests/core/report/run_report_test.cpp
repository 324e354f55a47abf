// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run_report.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kBegin{480'000h};

struct RunReportTest : ::testing::Test {
  TrainingRun run;
  MetricStore samples;
  std::vector<RunFinding> findings;

  RunReportTest() {
    run.id = RunId("cifar-1");
    run.name = "cifar";
    run.created = kBegin;
    run.finished = kBegin + 90s;
    run.launchComplete = true;
    NodeRun node;
    node.id = JobRunId("run-0");
    node.displayName = "main";
    node.state = JobRunState::Failed;
    run.nodes.push_back(node);
    addMetric(std::string(metric::kLoss), 100);
  }
  void addMetric(const std::string& name, Step count) {
    MetricSeriesBatch batch{name, Rank(0), {}, {}};
    for (Step step = 0; step < count; ++step)
      batch.points.push_back({step, kBegin + step * 1s, 1.0 / static_cast<double>(step + 1)});
    samples.add(batch);
  }
  std::string page() const { return runReport({run, samples, findings, {}, "/home/ann", kBegin + 100s}); }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(RunReportTest, SaysWhatTheRunCameTo) {
  run.failure = "rank 0 ended with exit code 3";
  const std::string html = page();
  for (const char* part :
       {"<title>cifar</title>", "FAILED", "took 1:30", "ranks: 1, samples: 100", "exit code 3",
        "What came of it", "<td>0.01</td>", "<svg", "<td>main</td>", "<td>99</td>"})
    EXPECT_TRUE(has(html, part)) << part << "\n" << html.substr(0, 3000);
}

TEST_F(RunReportTest, FindingsHaveTheirReasons) {
  RunFinding finding;
  finding.severity = FindingSeverity::Warning;
  finding.what = {"rank %1 is slow", {{"3"}}};
  finding.cause = {"<b>its loader</b>", {}};
  finding.evidence = {{"it waits %1", {{"12 ms"}}}};
  finding.remedy = {"more workers", {}};
  findings.push_back(finding);
  const std::string html = page();
  EXPECT_TRUE(has(html, "rank 3 is slow"));
  EXPECT_TRUE(has(html, "Because: &lt;b&gt;its loader&lt;/b&gt;"));
  EXPECT_TRUE(has(html, "it waits 12 ms"));
  EXPECT_TRUE(has(html, "Way out: more workers"));
}

TEST_F(RunReportTest, NothingInItIsMarkupOrSecret) {
  run.name = "<script>alert(1)</script>";
  run.failure = "cannot log in with canary-token-0001 at /home/ann/x";
  run.trainYaml = "env:\n  - name: API_TOKEN\n    value: canary-token-0001\n";
  run.nodes[0].displayName = "<img src=x>";
  addMetric("<svg onload=x>", 3);
  const std::string html = page();
  for (const char* never : {"<script>", "<img", "<svg onload", "canary", "/home/ann"})
    EXPECT_FALSE(has(html, never)) << never;
  EXPECT_TRUE(has(html, "API_TOKEN"));
}

TEST_F(RunReportTest, ARunWithoutAnythingIsAPageToo) {
  const TrainingRun empty;
  const MetricStore none;
  const std::string html = runReport({empty, none, {}, {}, "", kBegin});
  EXPECT_TRUE(has(html, "</html>"));
  EXPECT_FALSE(has(html, "<svg"));
}

TEST_F(RunReportTest, ACurveGoesToItsLastStep) {
  samples = MetricStore();
  addMetric("own", 10);
  const std::string html = page();
  const std::size_t begin = html.find("<polyline class=\"line\" points=\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string points = html.substr(begin, html.find("\"/>", begin) - begin);
  EXPECT_EQ(std::count(points.begin(), points.end(), ','), 10) << points;
}

TEST_F(RunReportTest, OfVeryManyQuantitiesSomeAreDrawn) {
  for (int i = 0; i < 100; ++i) addMetric("own " + std::to_string(i), 2);
  const std::string html = page();
  EXPECT_TRUE(has(html, "41 more quantities are not drawn"));
}

}  // namespace
}  // namespace lockstep
