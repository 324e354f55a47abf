// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/training/step_bench.h"

#include <sys/resource.h>

#include <algorithm>
#include <random>

#include "trainer/usage/machine_usage.h"

namespace lockstep::trainer {
namespace {

Batch drawnBatch(const SampleShape& shape, int samples, int rank) {
  Batch batch;
  batch.resize(shape, static_cast<std::size_t>(samples));
  std::mt19937 random(static_cast<std::uint32_t>(rank) + 1);
  const auto classes = static_cast<std::uint32_t>(shape.classes);
  for (float& pixel : batch.pixels) pixel = static_cast<float>(random() % 256) / 127.5F - 1.0F;
  for (std::int64_t& token : batch.tokens) token = static_cast<std::int64_t>(random() % classes);
  for (std::int64_t& target : batch.targets) target = static_cast<std::int64_t>(random() % classes);
  return batch;
}

double medianOf(std::vector<StepRecord>& records, double StepRecord::*part) {
  const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
  std::nth_element(records.begin(), middle, records.end(),
                   [part](const auto& a, const auto& b) { return a.*part < b.*part; });
  return *middle.*part;
}

double processorMs(int whose) {
  rusage used{};
  ::getrusage(whose, &used);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

// Of all threads but the calling one. With one compute thread that is what watches, records and uploads.
double processorMsOfOthers() {
  return processorMs(RUSAGE_SELF) - processorMs(RUSAGE_THREAD);
}

}  // namespace

StepBench::StepBench(const TrainingContext& context, const SampleShape& shape)
    : context_(context),
      shape_(shape),
      steps_(context),
      batch_(drawnBatch(shape, context.options.batchSize, context.place.rank)) {}

Result<StepRecord> StepBench::step() {
  steps_.begin();
  const int parts = context_.options.accumulate;
  for (int i = 0; i < parts; ++i) {
    const auto added = steps_.add(batch_, 1.0 / (context_.place.worldSize * parts), i + 1 == parts);
    if (!added) return failure(added.error());
  }
  return steps_.finish(context_.options.learningRate, 0);
}

Result<void> StepBench::run() {
  const int warmUp = context_.options.benchWarmUp;
  std::vector<StepRecord> records;
  long long firstStepNs = 0;
  std::chrono::steady_clock::time_point start;
  for (int i = 0; i < warmUp + context_.options.benchSteps; ++i) {
    if (i == warmUp) {
      if (auto all = context_.communicator.barrier(); !all) return all;
      start = std::chrono::steady_clock::now();
      othersMs_ = processorMsOfOthers();
    }
    const auto record = step();
    if (!record) return failure(record.error());
    if (steps_.stopAsked()) exitTogether(context_, steps_.stepsDone());
    if (i == 0) firstStepNs = SystemClock().now().time_since_epoch().count();
    if (i >= warmUp) records.push_back(*record);
  }
  othersMs_ = (processorMsOfOthers() - othersMs_) / static_cast<double>(records.size());
  printResult(records, secondsSince(start), firstStepNs);
  return context_.communicator.barrier();
}

void StepBench::printResult(std::vector<StepRecord>& records, double elapsed, long long firstStepNs) const {
  const double samples = static_cast<double>(records.size()) * context_.options.batchSize *
                         context_.options.accumulate * context_.place.worldSize;
  const std::string tokens =
      shape_.isImage() ? "" : fmt::format(" tokens_per_s={:.1f}", samples * shape_.length / elapsed);
  say("RESULT rank={} world={} variant=lockstep-{} samples_per_s={:.1f}{} step_ms_median={:.3f} "
      "elapsed={:.3f} "
      "hwm_mb={:.1f} first_step_wall_ns={} parameters={}",
      context_.place.rank, context_.place.worldSize, context_.communicator.name(), samples / elapsed, tokens,
      medianOf(records, &StepRecord::stepMs), elapsed, peakResidentMiB(), firstStepNs,
      context_.replica.parameterCount());
  say("TIMING rank={} fwd={:.3f} bwd={:.3f} wait={:.3f} transfer={:.3f} opt={:.3f} record={:.4f} "
      "others={:.4f}",
      context_.place.rank, medianOf(records, &StepRecord::forwardMs),
      medianOf(records, &StepRecord::backwardMs), medianOf(records, &StepRecord::waitMs),
      medianOf(records, &StepRecord::transferMs), medianOf(records, &StepRecord::optimizerMs),
      medianOf(records, &StepRecord::recordMs), othersMs_);
}

}  // namespace lockstep::trainer
