// SPDX-License-Identifier: GPL-3.0-or-later
// What the node agent spends on the metrics of scripts: one look at the machine, which comes each second, and reading what
// ranks print.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include "metrics/lines/line_matcher.h"
#include "metrics/lines/line_recognizer.h"
#include "trainer/usage/node_usage.h"
#include "trainer/usage/process_tree_usage.h"

namespace lockstep {
namespace {

void lookAtTheMachine(benchmark::State& state) {
  trainer::ProcessTreeUsage processes({::getpid()});
  trainer::NodeUsageReader node("/");
  for (auto _ : state) {
    benchmark::DoNotOptimize(processes.read());
    benchmark::DoNotOptimize(node.read());
  }
}
BENCHMARK(lookAtTheMachine)->Unit(benchmark::kMicrosecond);

std::vector<std::string> reports() {
  std::vector<std::string> lines;
  for (int i = 0; i < 1000; ++i)
    lines.push_back(fmt::format("Epoch 0: {}%|█████▎    | {}/937 [00:05<00:04, 92.1it/s, loss={}]", i / 10, i,
                                1.0 / (i + 1)));
  return lines;
}

std::vector<std::string> otherLines() {
  std::vector<std::string> lines;
  for (int i = 0; i < 1000; ++i)
    lines.push_back(fmt::format(
        "2026-01-01 12:00:{:02} worker {} NCCL INFO Channel {:02}/02 : 0 1 via P2P/IPC", i % 60, i, i % 8));
  return lines;
}

void readLines(benchmark::State& state, const std::vector<std::string>& lines) {
  LineMatcher matcher = std::move(LineMatcher::open().value());
  for (auto _ : state) {
    LineRecognizer recognizer;
    for (const std::string& line : lines)
      if (const auto match = matcher.match(line))
        benchmark::DoNotOptimize(recognizer.add(*match, matcher.rules()[match->rule], TimePoint()));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lines.size()));
}
BENCHMARK_CAPTURE(readLines, reports, reports())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readLines, others, otherLines())->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
