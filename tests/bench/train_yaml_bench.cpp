// SPDX-License-Identifier: GPL-3.0-or-later
// What reading, checking and editing a train.yaml of 10,000 lines costs.
#include <benchmark/benchmark.h>

#include "cluster/document/cluster_document.h"
#include "cluster/yaml/yaml_tree.h"
#include "large_train_yaml.h"

namespace lockstep {
namespace {

const FieldPath kName{"spec", "cluster", "spec", "name"};
const FieldPath kLastValue{"spec", "cluster", "spec", "worker", "config", "env", std::size_t{700}, "value"};

std::string textFor(const benchmark::State& state) {
  return largeTrainYaml(static_cast<int>(state.range(0)));
}

void parse(benchmark::State& state) {
  const std::string text = textFor(state);
  for (auto _ : state) benchmark::DoNotOptimize(YamlTree::parse(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void document(benchmark::State& state) {
  const std::string text = textFor(state);
  for (auto _ : state) {
    const ClusterDocument document(text);
    benchmark::DoNotOptimize(document.issues().size());
    benchmark::DoNotOptimize(document.spec().clusterEnv.size());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void setScalar(benchmark::State& state) {
  const ClusterDocument document(textFor(state));
  int i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(document.setScalar(kName, i++ % 2 == 0 ? "nightly-2" : "other"));
}

void scalar(benchmark::State& state) {
  const ClusterDocument document(textFor(state));
  for (auto _ : state) benchmark::DoNotOptimize(document.scalar(kLastValue));
}

BENCHMARK(parse)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(document)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(setScalar)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(scalar)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
