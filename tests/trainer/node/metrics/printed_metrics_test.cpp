// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/printed_metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep::node {
namespace {

TEST(PrintedMetrics, KeepRanksApart) {
  PrintedMetrics metrics(std::move(LineMatcher::open().value()), {0, 1});
  for (int step = 1; step <= 4; ++step) {
    metrics.add(0, fmt::format("step {}: loss 0.{}\n", step, step));
    metrics.add(1, fmt::format("step {}: loss 0.{}\nanything else {}\n", step * 10, step, step));
  }
  std::map<int, std::vector<Step>> steps;
  for (const auto& [rank, row] : metrics.take()) steps[rank].push_back(row.step);
  EXPECT_EQ(steps, (std::map<int, std::vector<Step>>{{0, {1, 2, 3, 4}}, {1, {10, 20, 30, 40}}}));
  const auto notes = metrics.popNotes();
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0], "metrics of rank 0 are read from its lines, by the rule 'step'");
  EXPECT_TRUE(metrics.popNotes().empty()) << "each is told once";
}

// All ranks of mpirun come through the launcher on main; what runs on other nodes is measured there.
TEST(PrintedMetrics, LinesOfALauncherBelongToTheRankThatTheyName) {
  PrintedMetrics metrics(std::move(LineMatcher::open().value()), {0, 1});
  for (int step = 1; step <= 4; ++step)
    for (int rank = 0; rank < 4; ++rank)
      metrics.add(0, fmt::format("[1,{}]<stdout>:Step #{}\tLoss: 0.5\n", rank, step));
  std::map<int, int> rows;
  for (const auto& one : metrics.take()) ++rows[one.rank];
  EXPECT_EQ(rows, (std::map<int, int>{{0, 4}, {1, 4}}));
}

TEST(PrintedMetrics, AFloodDoesNotFillTheMemory) {
  PrintedMetrics metrics(std::move(LineMatcher::open().value()), {0});
  const std::string line(1000, 'x');
  for (int i = 0; i < 20'000; ++i) metrics.add(0, line + "\n");
  for (int step = 1; step <= 4; ++step) metrics.add(0, fmt::format("step {}: loss 0.5\n", step));
  EXPECT_EQ(metrics.take().size(), 4U) << "the newest are there";
}

}  // namespace
}  // namespace lockstep::node
