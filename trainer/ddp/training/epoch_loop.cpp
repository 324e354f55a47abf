// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/training/epoch_loop.h"

#include <algorithm>

#include "base/plain_nan.h"

namespace lockstep::trainer {
namespace {

using Rest = DistributedSampler::Rest;

LearningRateSettings rateFrom(const TrainOptions& options) {
  LearningRateSettings rate;
  if (options.schedule == "step") rate.schedule = LearningRateSettings::Schedule::Step;
  if (options.schedule == "cosine") rate.schedule = LearningRateSettings::Schedule::Cosine;
  rate.base = options.learningRate;
  rate.min = options.minLearningRate;
  rate.gamma = options.gamma;
  rate.epochsPerDrop = options.stepEpochs;
  rate.warmupSteps = options.warmupSteps;
  return rate;
}

}  // namespace

EpochLoop::EpochLoop(const TrainingContext& context, Checkpointing& checkpointing)
    : context_(context),
      checkpointing_(checkpointing),
      sampler_(context.data.train->size(), context.place.rank, context.place.worldSize, context.options.seed,
               context.options.noPadding ? Rest::Uneven : Rest::Wrapped),
      plan_(sampler_, static_cast<std::size_t>(context.options.batchSize),
            static_cast<std::size_t>(context.options.accumulate)),
      rate_(rateFrom(context.options)),
      loader_(*context.data.train, context.options.workers, context.readAhead()),
      steps_(context),
      evaluation_(context) {}

Result<void> EpochLoop::run() {
  const TrainOptions& options = context_.options;
  TrainingPosition beginning;
  beginning.seed = options.seed;
  beginning.model = options.model;
  const auto begun = checkpointing_.begin(beginning);
  if (!begun) return failure(begun.error());
  position_ = *begun;
  steps_.startAt(position_.step);
  context_.metrics.recordTotalSteps(static_cast<Step>(plan_.steps()) * options.epochs);
  while (position_.epoch < options.epochs) {
    const auto start = std::chrono::steady_clock::now();
    const auto loss = trainEpoch();
    if (!loss) return failure(loss.error());
    if (auto done = evaluate(*loss, secondsSince(start)); !done) return done;
    if (options.earlyStop > 0 && position_.epochsWithoutGain >= options.earlyStop) {
      if (context_.place.rank == 0) say("Stopped early: no better test loss in {} epochs", options.earlyStop);
      break;
    }
  }
  evaluation_.printClasses();
  say("Finished Training");
  checkpointing_.finish(position_);
  return {};
}

Result<void> EpochLoop::evaluate(double epochLoss, double seconds) {
  const auto outcome = evaluation_.run({position_.epoch, steps_.stepsDone(), epochLoss, seconds});
  if (!outcome) return failure(outcome.error());
  const bool better = position_.bestTestLoss == 0 || outcome->testLoss < position_.bestTestLoss;
  position_.epochsWithoutGain = better ? 0 : position_.epochsWithoutGain + 1;
  if (better) position_.bestTestLoss = outcome->testLoss;
  ++position_.epoch;
  position_.samplesDone = 0;
  checkpointing_.afterEpoch(position_);
  return {};
}

std::size_t EpochLoop::firstStep() const {
  // With another number of ranks a checkpoint may lie within a step: that one is taken again.
  const auto done = static_cast<std::size_t>(position_.samplesDone) / plan_.globalBatchSize();
  return std::min(done, plan_.steps());
}

void EpochLoop::updatePosition(std::size_t stepsOfEpoch) {
  position_.step = steps_.stepsDone();
  position_.samplesDone = static_cast<long long>(stepsOfEpoch * plan_.globalBatchSize());
}

std::vector<std::vector<std::size_t>> EpochLoop::batchesOf(std::size_t firstStep) const {
  const std::vector<std::size_t> order = sampler_.indices(position_.epoch);
  std::vector<std::vector<std::size_t>> batches;
  for (std::size_t step = firstStep; step < plan_.steps(); ++step) {
    for (const auto& part : plan_.parts(step)) {
      const auto first = order.begin() + static_cast<std::ptrdiff_t>(part.first);
      batches.emplace_back(first, first + static_cast<std::ptrdiff_t>(part.count));
    }
  }
  return batches;
}

Result<double> EpochLoop::trainEpoch() {
  const std::size_t first = firstStep();
  loader_.begin(batchesOf(first), context_.options.seed + static_cast<std::uint64_t>(position_.epoch));
  const auto printFreq = static_cast<std::size_t>(context_.options.printFreq);
  double sum = 0;
  double sincePrint = 0;
  std::size_t unprinted = 0;
  for (std::size_t step = first; step < plan_.steps(); ++step) {
    const auto record = trainStep(step);
    if (!record) return failure(record.error());
    sum += record->loss;
    sincePrint += record->loss;
    ++unprinted;
    if ((step + 1) % printFreq == 0) {
      if (context_.options.json) {
        say("{}", jsonLine(context_.place.rank, steps_.stepsDone() - 1, *record));
      } else {
        say("[{}, {:5}] loss: {:.3f}", position_.epoch + 1, step + 1,
            plainNan(sincePrint / static_cast<double>(unprinted)));
      }
      sincePrint = 0;
      unprinted = 0;
    }
    updatePosition(step + 1);
    if (steps_.stopAsked()) {
      checkpointing_.saveNow(position_);
      exitTogether(context_, steps_.stepsDone());
    }
    checkpointing_.afterStep(position_);
  }
  return sum / static_cast<double>(std::max<std::size_t>(plan_.steps() - first, 1));
}

Result<StepRecord> EpochLoop::trainStep(std::size_t step) {
  const auto parts = plan_.parts(step);
  const long long total = static_cast<long long>(plan_.steps()) * context_.options.epochs;
  const double rate = learningRateAt(rate_, steps_.stepsDone(), position_.epoch, total);
  steps_.begin();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto batch = loader_.next();
    if (!batch) return failure(batch.error());
    steps_.dataIsThere();
    if (auto added = steps_.add(**batch, parts[i].weight, i + 1 == parts.size()); !added)
      return failure(added.error());
  }
  return steps_.finish(rate, position_.epoch);
}

}  // namespace lockstep::trainer
