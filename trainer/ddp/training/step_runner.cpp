// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/training/step_runner.h"

#include <algorithm>
#include <cmath>

#include "base/plain_nan.h"
#include "trainer/data/memory_images.h"
#include "trainer/ddp/peers/parameter_check.h"

namespace lockstep::trainer {
namespace {

StepRecord recordOf(const StepResult& result) {
  StepRecord record;
  record.loss = plainNan(result.loss);
  record.hostToDeviceMs = result.times.hostToDevice;
  record.forwardMs = result.times.forward;
  record.backwardMs = result.times.backward;
  record.optimizerMs = result.times.optimizer;
  record.gradientNorm = plainNan(result.gradientNorm);
  return record;
}

}  // namespace

void StepRunner::begin() {
  context_.ending.progress().beginStep(step_);
  (void)context_.gradients.popTimes();  // of what lay between the steps
  context_.ending.progress().enter(RankPhase::Data);
  start_ = waitStart_ = Steady::now();
  dataMs_ = 0;
  samples_ = parts_ = 0;
}

void StepRunner::dataIsThere() {
  dataMs_ += secondsSince(waitStart_) * 1e3;
}

Result<void> StepRunner::add(const Batch& batch, double weight, bool isLast) {
  Replica::Part part;
  part.weight = weight;
  part.isLast = isLast;
  part.stopAsked = context_.ending.terminationAsked();
  // Drawn anew for each batch, so that a training that goes on from a checkpoint draws what it would have.
  const auto number = static_cast<std::uint64_t>(step_) * 4096 + static_cast<std::uint64_t>(parts_++);
  part.seed =
      drawFor(context_.options.seed * 65'537 + static_cast<std::uint64_t>(context_.place.rank), number);
  samples_ += batch.samples;
  auto done = context_.replica.accumulate(batch, part);
  waitStart_ = Steady::now();
  if (done && !isLast) context_.ending.progress().enter(RankPhase::Data);
  return done;
}

Result<StepRecord> StepRunner::finish(double learningRate, int epoch) {
  const auto result = context_.replica.update(learningRate);
  if (!result) return failure(result.error());
  stopAsked_ = result->stopAsked;
  StepRecord record = recordOf(*result);
  const double seconds = secondsSince(start_);
  record.learningRate = learningRate;
  record.samplesPerSecond = samples_ / seconds;
  record.stepMs = seconds * 1e3;
  // While a GPU computes, reading the next batch costs nothing.
  record.dataMs = std::min(dataMs_, result->times.idle.value_or(dataMs_));
  record.epoch = epoch;
  const CommunicationTimes communication = context_.gradients.popTimes();
  record.waitMs = communication.waitMs;
  record.transferMs = communication.transferMs;
  record.reducedBytes = communication.bytes;
  const int perSample = context_.data.train ? context_.data.train->shape().length : 0;
  if (perSample > 0) record.tokensPerSecond = record.samplesPerSecond * perSample;
  if (auto done = afterStep(record); !done) return failure(done.error());
  return record;
}

Result<void> StepRunner::afterStep(StepRecord& record) {
  const auto recordStart = Steady::now();
  context_.metrics.recordStep(step_++, record);
  if (const auto problem = context_.metrics.newProblem())
    say("warning: rank {}: metrics are not stored for now: {}", context_.place.rank, describe(*problem));
  const int every = context_.options.checkParameters;
  if (context_.watch != nullptr && every > 0 && step_ % every == 0)
    context_.watch->sendParameterSum(step_, parameterSum(context_.replica.weights()));
  record.recordMs = secondsSince(recordStart) * 1e3;
  if (std::isfinite(record.loss)) return {};
  return failure(
      ErrorCode::FailedPrecondition,
      fmt::format("the loss of rank {} became {} at step {}", context_.place.rank, record.loss, step_ - 1),
      {}, "train with a smaller --learning-rate, and look whether the data are sound");
}

}  // namespace lockstep::trainer
